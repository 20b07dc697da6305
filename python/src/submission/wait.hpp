// SPDX-License-Identifier: Apache-2.0
// Lets a Python thread wait for work with a timeout, without the GIL, and interruptible by Ctrl-C.
#pragma once

#include <atomic>
#include <utility>

#include "no_gil_mutex.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "submission/failure_watch.hpp"
#include "submission/interruptible.hpp"
#include "submission/listeners.hpp"
#include "submission/submission.hpp"

namespace pointsman::python {

/// A submission that is watched, with the gate and the waiting thread that its waits share.
/// **Thread safety**: any thread; GIL held for all members.
class watched_submission {
  public:
    explicit watched_submission(submitted_work&& work) noexcept : work_{std::move(work)} {}

    [[nodiscard]] pending_work& pending() const noexcept { return *work_.returned().pending(); }
    /// Returns true if the completion has been noticed and accounted for.
    [[nodiscard]] bool is_over() const noexcept { return work_.is_settled(); }
    /// As `is_over`, but polls the work first.
    [[nodiscard]] bool is_ready();
    /// Shows the garbage collector the objects that only this submission keeps alive.
    int traverse(visitproc visit, void* arg) const {
        if (!work_.is_sole_owner()) {
            return 0;
        }
        const int visited = pending().traverse(visit, arg);
        return visited != 0 || !failure_ ? visited : failure_->traverse(visit, arg);
    }
    /// Reports a failure of the work that nobody looks at.
    void report_by(binding::ref<failure_watch> failure) noexcept { failure_ = std::move(failure); }
    /// Called when the user asks for the outcome.
    void looked_at() const noexcept {
        if (failure_) {
            failure_->looked_at();
        }
    }
    /// Called before the submission releases its policy and resource.
    void dropped() const noexcept {
        if (failure_) {
            failure_->dropped();
        }
    }
    /// Returns true if the work was complete before `deadline`; `result` raises what the object's own
    /// wait raises. `submission` is the Python object that holds this.
    /// **Throws**: what a signal handler raises; the error of a wait that failed while the work goes on.
    [[nodiscard]] bool wait(PyObject* submission, const deadline_t& deadline);
    /// Starts a thread, once, that waits for work with only a wait(); does nothing for other work.
    /// **Throws**: `py::error_already_set` if no thread can be started.
    void ensure_waiter(PyObject* submission);

  private:
    void wait_on_work();
    [[nodiscard]] binding::ref<gate> shared_gate();
    /// Returns false if `deadline` passed. Also returns true if the work needs a waiting thread and has
    /// none.
    [[nodiscard]] bool wait_at_gate(const deadline_t& deadline);
    [[nodiscard]] bool lacks_waiter() const noexcept;
    [[nodiscard]] bool wait_for_driver(const deadline_t& deadline);

    submitted_work work_;
    [[no_unique_address]] no_gil_mutex mutex_;  // protects `gate_`
    binding::ref<gate> gate_;
    std::atomic<bool> has_waiter_{false};
    binding::ref<failure_watch> failure_;  // null for work that no Submission holds
};

/// Waits for a group; returns false if `deadline` passed. GIL held; released while blocked.
[[nodiscard]] bool wait_for_group(const default_submission_group& group,
                                  const deadline_t& deadline);

}  // namespace pointsman::python
