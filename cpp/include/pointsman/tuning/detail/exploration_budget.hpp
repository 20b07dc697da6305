// SPDX-License-Identifier: Apache-2.0
// Limits the time spent on finding out whether another resource has become faster.
#pragma once

#include <algorithm>
#include <chrono>

namespace pointsman {

/// Allows a fixed share of all working time to be lost to exploration.
/// **Thread safety**: none; the caller locks.
class exploration_budget {
  public:
    using duration = std::chrono::nanoseconds;
    /// One in this many: 2 %.
    static constexpr int share = 50;

    /// Records work that took `time`.
    void earn(duration time) noexcept { worked_ += time; }
    /// Records exploration that took `extra` longer than the best resource would have.
    void spend(duration extra) noexcept { lost_ += std::max(extra, duration::zero()); }
    [[nodiscard]] duration worked() const noexcept { return worked_; }
    [[nodiscard]] bool allows(duration extra) const noexcept {
        return lost_ + extra <= worked_ / share;
    }

  private:
    duration worked_{};
    duration lost_{};
};

}  // namespace pointsman
