// SPDX-License-Identifier: Apache-2.0
// The group of a policy's submissions in Python, whose wait may raise what failed.
#pragma once

#include <memory>
#include <utility>

#include "gil.hpp"
#include "pointsman/binding/submission.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "submission/interruptible.hpp"

namespace pointsman::python {

/// The value of the Python class SubmissionGroup. **Thread safety**: any thread; GIL held.
class python_group {
  public:
    [[nodiscard]] static python_group of(const py::object& policy, default_submission_group group,
                                         binding::ref<binding::submission_group_state> state);

    /// Waits for all submissions; returns false if `deadline` passed. Released GIL while blocked.
    [[nodiscard]] bool wait(const deadline_t& deadline) const;
    [[nodiscard]] std::unique_ptr<binding::group_hold> hold() const { return group_.hold(); }
    /// As `wait`, and raises what failed. **Throws**: `py::error_already_set`.
    [[nodiscard]] bool wait_and_raise(const deadline_t& deadline) const;
    /// Cancels all work that has not ended, as `Submission.cancel`; returns true if there was some and all of it
    /// was dropped. **Throws**: the first `py::error_already_set` of a `cancel` in Python, after the others.
    [[nodiscard]] bool cancel() const;

  private:
    python_group(default_submission_group group,
                 binding::ref<binding::submission_group_state> state, py::object failures)
        : group_{std::move(group)}, state_{std::move(state)}, failures_{std::move(failures)} {}

    default_submission_group group_;
    binding::ref<binding::submission_group_state> state_;
    shared_object failures_;  // the policy's Failures, of pointsman._failures
};

}  // namespace pointsman::python
