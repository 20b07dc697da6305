// SPDX-License-Identifier: Apache-2.0
// Marks whether the time of the work that a thread starts is needed, so that resources can skip the clock.
#pragma once

#include <utility>

namespace pointsman::detail {

/// During its lifetime, `is_timed()` says whether the task whose work this thread starts is timed. A
/// resource whose waitables carry their own timestamps need not read a clock for an untimed task.
/// Outside any scope, tasks are timed.
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

/// True for waitables with a true `dated_at_start`: their resource reads the scope when work starts.
template <class T>
inline constexpr bool dated_at_start_v = requires { requires T::dated_at_start; };

}  // namespace pointsman::detail
