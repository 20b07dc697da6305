// SPDX-License-Identifier: Apache-2.0
// Tags of the events that a backend reports to a policy.
#pragma once

#include <chrono>
#include <type_traits>

namespace pointsman {

/// Events from a task's submission to its completion. A backend reports them to the selection that placed
/// the task.
namespace execution_info {

/// The task has been handed to its resource.
struct task_submission_t {
    using value_type = void;
};
/// The task has completed, with or without success: its load can be released.
struct task_completion_t {
    using value_type = void;
};
/// The task threw, failed or was cancelled. Reported before its completion.
struct task_failure_t {
    using value_type = void;
};
/// How long the task took from submission to completion. Reported before the completion, and only for
/// tasks that succeeded.
struct task_time_t {
    using value_type = std::chrono::nanoseconds;
};
/// An upper bound of `task_time`, from a source that may notice the completion late.
struct task_time_bound_t {
    using value_type = std::chrono::nanoseconds;
};

inline constexpr task_submission_t task_submission{};
inline constexpr task_completion_t task_completion{};
inline constexpr task_failure_t task_failure{};
inline constexpr task_time_t task_time{};
inline constexpr task_time_bound_t task_time_bound{};

}  // namespace execution_info

/// True for a type that tags an execution event.
template <class Info>
inline constexpr bool execution_info_v =
    requires { typename std::decay_t<Info>::value_type; } && std::is_empty_v<std::decay_t<Info>>;

}  // namespace pointsman
