// SPDX-License-Identifier: Apache-2.0
// Tells a resource whether the time of the work being started on it is needed.
#pragma once

#include <utility>

namespace pointsman::detail {

/// During its lifetime, the work that this thread starts belongs to a task that is timed or not. A
/// resource whose waitables carry their own timestamps need not read a clock for an untimed task.
/// Outside any scope, the time is needed.
class timing_scope {
  public:
    explicit timing_scope(bool is_timed) noexcept : outer_{std::exchange(is_timed_, is_timed)} {}
    ~timing_scope() { is_timed_ = outer_; }
    timing_scope(const timing_scope&) = delete;
    timing_scope& operator=(const timing_scope&) = delete;

    [[nodiscard]] static bool is_timed() noexcept { return is_timed_; }

  private:
    static inline constinit thread_local bool is_timed_ = true;
    bool outer_;
};

/// Waitables whose resource follows the scope have a `dated_at_start` that is true.
template <class T>
inline constexpr bool dated_at_start_v = requires { requires T::dated_at_start; };

}  // namespace pointsman::detail
