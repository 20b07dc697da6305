// SPDX-License-Identifier: Apache-2.0
// The group of a policy's submissions in Python, whose wait may raise what failed.
#pragma once

#include "gil.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "submission/interruptible.hpp"

namespace pointsman::python {

/// The value of the Python class SubmissionGroup. **Thread safety**: any thread; GIL held.
class python_group {
  public:
    [[nodiscard]] static python_group of(const py::object& policy, default_submission_group group);

    /// Waits for all submissions; returns false if `deadline` passed. Released GIL while blocked.
    [[nodiscard]] bool wait(const deadline_t& deadline) const;
    /// As `wait`, and raises what failed. **Throws**: `py::error_already_set`.
    [[nodiscard]] bool wait_and_raise(const deadline_t& deadline) const;

  private:
    python_group(default_submission_group group, py::object failures)
        : group_{std::move(group)}, failures_{std::move(failures)} {}

    default_submission_group group_;
    shared_object failures_;  // the policy's Failures, of pointsman._failures
};

}  // namespace pointsman::python
