// SPDX-License-Identifier: Apache-2.0
// Begins a call in the calling thread, and continues in several threads if they pay.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// The time that other threads may take to wake up.
inline constexpr std::chrono::microseconds waking_time{10};

/// Returns true if several threads would finish sooner with the `left` values of a call of which one
/// thread did `done` in `taken`.
[[nodiscard]] constexpr bool threads_pay(std::chrono::nanoseconds taken, std::ptrdiff_t done,
                                         std::ptrdiff_t left) noexcept {
    constexpr std::chrono::microseconds that_tells{1};  // the first value takes less in cold caches
    return taken >= that_tells && taken * left > waking_time * done;
}

/// Predicts whether the values of a call cost so much that its first value should not run before the
/// others: true after a call where it did. One call in `period` checks again.
/// **Thread safety**: any thread.
class costly_values {
  public:
    static constexpr int period = 16;  // calls

    [[nodiscard]] bool are_expected() noexcept {
        return calls_.load(std::memory_order_relaxed) > 0 &&
               calls_.fetch_sub(1, std::memory_order_relaxed) > 0;
    }
    /// The first value alone took `taken`.
    void note_first(std::chrono::nanoseconds taken) noexcept {
        if (taken >= waking_time) {
            calls_.store(period - 1, std::memory_order_relaxed);
        }
    }

  private:
    std::atomic<int> calls_{0};
};

/// Calls `part(policy, begin, end)` from `first` on for ever longer blocks, in the calling thread,
/// until threads would pay; returns the position at which they must continue.
template <execution::host_policy P, class It, class Part>
It begin_alone(const P& policy, It first, It last, const Part& part, costly_values& costly) {
    const It begin = first;
    const auto start = clock::now();
    for (std::iter_difference_t<It> step = 1; first != last; step *= 4) {
        const It end = first + std::min(step, last - first);
        part(standard_alone(policy), first, end);
        first = end;
        const auto taken = clock::now() - start;
        if (step == 1) {
            costly.note_first(taken);
        }
        if (threads_pay(taken, first - begin, last - first)) {
            break;
        }
    }
    return first;
}

/// Calls `part(policy, begin, end)`, with a policy of the standard library, for consecutive blocks of
/// [`first`, `last`). It begins in the calling thread with few values, so that under `par` a cheap call
/// takes as long as under `seq`.
template <execution::host_policy P, class It, class Part>
void in_blocks(const P& policy, It first, It last, const Part& part) {
    if constexpr (is_parallel_v<P> && std::random_access_iterator<It>) {
        static costly_values costly;  // for this type `Part`
        if (last - first < steps_worth_threads && !costly.are_expected()) {
            first = begin_alone(policy, first, last, part, costly);
        }
    }
    if (first != last) {
        part(standard(policy), first, last);
    }
}

}  // namespace pointsman::detail
