// SPDX-License-Identifier: Apache-2.0
// A Python callable that is notified of the end of a submission.
#pragma once

#include "gil.hpp"
#include "submission/listeners.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

/// Calls `callback(submission)` at the end of its work, on the thread that saw the end; on a thread of
/// its own when that is a driver's.
class done_callback : end_listener {
  public:
    /// At once when the work is already complete. GIL held. **Throws**: `std::system_error`.
    static void add(pending_work& work, PyObject* callback, PyObject* submission);
    /// Calls; what comes out goes to `sys.unraisablehook`. GIL held.
    static void call(PyObject* callback, PyObject* submission) noexcept;

  private:
    done_callback(PyObject* callback, PyObject* submission) noexcept
        : end_listener{&heard},
          callback_{py::reinterpret_borrow<py::object>(callback)},
          submission_{py::reinterpret_borrow<py::object>(submission)} {}

    static void heard(end_listener* self) noexcept;
    static void run(done_callback* self) noexcept;

    shared_object callback_;
    shared_object submission_;
};

}  // namespace pointsman::python
