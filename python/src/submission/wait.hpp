// SPDX-License-Identifier: Apache-2.0
// How a Python thread waits for work: with a limit, without the GIL, and so that Ctrl-C ends it.
#pragma once

#include <atomic>
#include <utility>

#include "no_gil_mutex.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "submission/interruptible.hpp"
#include "submission/listeners.hpp"
#include "submission/submission.hpp"

namespace pointsman::python {

/// A submission that is watched, with what its waits share.
/// **Thread safety**: any thread; GIL held for all members.
class watched_submission {
  public:
    explicit watched_submission(submitted_work&& work) noexcept : work_{std::move(work)} {}

    [[nodiscard]] pending_work& pending() const noexcept { return *work_.returned().pending(); }
    /// Returns true if the end has been seen and accounted for.
    [[nodiscard]] bool is_over() const noexcept { return pending().listeners().is_closed(); }
    /// The same, asking the work.
    [[nodiscard]] bool is_ready();
    /// Shows the garbage collector the objects that nobody else keeps alive.
    int traverse(visitproc visit, void* arg) const {
        return work_.is_sole_owner() ? pending().traverse(visit, arg) : 0;
    }
    /// Returns true if the work was complete before `deadline`; keeps what the object's own wait raises
    /// for its result. `submission` is the Python object that holds this.
    /// **Throws**: what a signal handler raises, or a wait that failed while the work goes on.
    [[nodiscard]] bool wait(PyObject* submission, const deadline_t& deadline);
    /// Starts a thread that waits for work with only a wait(); does nothing for other work.
    /// **Throws**: `py::error_already_set` when there is no thread for it.
    void be_waited_for(PyObject* submission);

  private:
    void wait_by_own_means();
    [[nodiscard]] binding::ref<gate> shared_gate();
    /// True as well when the work is to be waited for and no thread does.
    [[nodiscard]] bool wait_at_gate(const deadline_t& deadline);
    [[nodiscard]] bool has_nobody_waiting() const noexcept;
    [[nodiscard]] bool wait_for_driver(const deadline_t& deadline);

    submitted_work work_;
    [[no_unique_address]] no_gil_mutex mutex_;  // of `gate_`
    binding::ref<gate> gate_;
    std::atomic<bool> is_waited_for_{false};
};

/// Waits for a group; false when `deadline` passed. GIL held; released while blocked.
[[nodiscard]] bool wait_for_group(const default_submission_group& group,
                                  const deadline_t& deadline);

/// **Throws**: `py::error_already_set`, with WaitTimeoutError.
[[noreturn]] void throw_wait_timeout(PyObject* timeout);

}  // namespace pointsman::python
