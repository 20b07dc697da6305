// SPDX-License-Identifier: Apache-2.0
// Remembers the failure of a submission until it is looked at, and logs one that nobody looks at.
#pragma once

#include <atomic>
#include <cstdint>

#include "gil.hpp"
#include "no_gil_mutex.hpp"
#include "pointsman/binding/base.hpp"
#include "submission/listeners.hpp"
#include "submission/returned_object.hpp"

namespace pointsman::python {

/// Is notified of the end of pending work. If the work failed, `pointsman._failures` keeps the exception
/// for the policy's group, and logs it once the submission is dropped without having been looked at.
/// Cancelled work has not failed. Nothing is logged once the interpreter shuts down.
/// **Thread safety**: any thread; GIL held for all members.
class failure_watch : public end_listener, public binding::ref_counted {
  public:
    /// Watches `work`, a call of `callable` that `policy` placed on `resource`. The caller keeps policy and
    /// resource alive until it calls `dropped`.
    /// **Throws**: `py::error_already_set`; `std::bad_alloc`.
    [[nodiscard]] static binding::ref<failure_watch> of(pending_work& work, PyObject* callable,
                                                        PyObject* policy, PyObject* resource);

    /// Called when the user asks for the outcome: the failure is not logged.
    void looked_at() noexcept;
    /// Called when the submission is dropped, before it releases policy and resource: logs a failure that
    /// nobody has looked at, now or later. Further calls have no effect.
    void dropped() noexcept;

    /// Reports an exception as unraisable, since the end of work has no caller to raise it in. Delivers a
    /// KeyboardInterrupt again, as a new Ctrl-C.
    static void discard(py::error_already_set& error) noexcept;

    /// Shows the garbage collector the objects that only the submission keeps alive.
    int traverse(visitproc visit, void* arg) const;

  private:
    enum : std::uint8_t { is_dropped = 1, is_looked_at = 2, has_succeeded = 4, has_failed = 8 };

    failure_watch(pending_work& work, PyObject* callable, PyObject* policy, PyObject* resource);

    static void on_end(end_listener* self) noexcept;
    static void on_end_noticed_by_driver(end_listener* self) noexcept;
    void failed_with(const py::object& error);
    [[nodiscard]] py::object record_of(const py::object& error);
    void keep_placement(bool may_be_needed) noexcept;
    void log() const noexcept;
    void set_record(py::object record) noexcept;
    [[nodiscard]] py::object record() const;

    pending_work& work_;      // alive until this is notified
    shared_object returned_;  // what `work_` watches, if a driver's thread notices the end
    PyObject* policy_;        // owned by the submission, null once that is dropped
    PyObject* resource_;      // likewise
    binding::ref<resource_record> counted_in_;  // is told the exception
    shared_object function_;                    // the name of the callable, or a built-in function
    shared_object placement_;                   // policy and resource, after that
    shared_object record_;                      // a Failure of pointsman._failures
    std::atomic<std::uint8_t> state_{0};
    [[no_unique_address]] mutable no_gil_mutex mutex_;  // of the placement and `record_`
};

}  // namespace pointsman::python
