// SPDX-License-Identifier: Apache-2.0
// Calls a Python callable when a submission is complete.
#pragma once

#include "gil.hpp"
#include "submission/listeners.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

/// Calls `callback(submission)` when the work is complete, on the thread that noticed it; on a separate
/// thread if a driver's thread noticed it.
class done_callback : end_listener {
  public:
    /// Calls at once if the work is already complete. GIL held. **Throws**: `std::system_error`.
    static void add(pending_work& work, PyObject* callback, PyObject* submission);
    /// Calls `callback(submission)`; its exceptions go to `sys.unraisablehook`. GIL held.
    static void call(PyObject* callback, PyObject* submission) noexcept;

  private:
    done_callback(PyObject* callback, PyObject* submission) noexcept
        : end_listener{&on_end},
          callback_{py::reinterpret_borrow<py::object>(callback)},
          submission_{py::reinterpret_borrow<py::object>(submission)} {}

    static void on_end(end_listener* self) noexcept;
    static void run(done_callback* self) noexcept;

    shared_object callback_;
    shared_object submission_;
};

}  // namespace pointsman::python
