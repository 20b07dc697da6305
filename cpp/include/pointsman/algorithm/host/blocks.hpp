// SPDX-License-Identifier: Apache-2.0
// Starts an algorithm in the calling thread, and continues in several threads if that is faster.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// An upper estimate of the time that other threads take to wake up.
inline constexpr std::chrono::microseconds waking_time{10};

/// Returns true if several threads would process the `left` remaining values of a call sooner, after one
/// thread has processed `done` values in `taken`.
[[nodiscard]] constexpr bool threads_pay(std::chrono::nanoseconds taken, std::ptrdiff_t done,
                                         std::ptrdiff_t left) noexcept {
    constexpr std::chrono::microseconds enough{1};  // a first value with cold caches takes less
    return taken >= enough && taken * left > waking_time * done;
}

/// Predicts whether each value of a call takes so long that the calling thread should not process the
/// first values alone. Predicts so after a call whose first value took `waking_time`; one call in
/// `period` measures again.
/// **Thread safety**: any thread.
class costly_values {
  public:
    static constexpr int period = 16;  // calls

    [[nodiscard]] bool are_expected() noexcept {
        return calls_.load(std::memory_order_relaxed) > 0 &&
               calls_.fetch_sub(1, std::memory_order_relaxed) > 0;
    }
    /// Records that the first value of a call took `taken`.
    void note_first(std::chrono::nanoseconds taken) noexcept {
        if (taken >= waking_time) {
            calls_.store(period - 1, std::memory_order_relaxed);
        }
    }

  private:
    std::atomic<int> calls_{0};
};

/// Calls `run_block(policy, begin, end)` in the calling thread for consecutive blocks of increasing
/// size, until several threads would be faster. Returns the iterator at which they must continue.
template <execution::host_policy P, class It, class RunBlock>
It begin_alone(const P& policy, It first, It last, const RunBlock& run_block,
               costly_values& costly) {
    const It begin = first;
    const auto start = clock::now();
    for (std::iter_difference_t<It> step = 1; first != last; step *= 4) {
        const It end = first + std::min(step, last - first);
        run_block(standard_alone(policy), first, end);
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

/// Calls `run_block(policy, begin, end)`, with a policy of the standard library, for consecutive blocks of
/// [`first`, `last`). The first blocks are small and run in the calling thread, so that a cheap call takes
/// as long under `par` as under `seq`.
template <execution::host_policy P, class It, class RunBlock>
void in_blocks(const P& policy, It first, It last, const RunBlock& run_block) {
    if constexpr (is_parallel_v<P> && std::random_access_iterator<It>) {
        static costly_values costly;  // one for each type `RunBlock`
        if (last - first < steps_worth_threads && !costly.are_expected()) {
            first = begin_alone(policy, first, last, run_block, costly);
        }
    }
    if (first != last) {
        run_block(standard(policy), first, last);
    }
}

/// Returns the first result of `find(policy, begin, end)` other than `end` for consecutive blocks as those of
/// `in_blocks`, or `last` if there is none.
template <execution::host_policy P, class It, class Find>
It find_in_blocks(const P& policy, It first, It last, const Find& find) {
    It found = first;
    in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        if (found == begin) {  // nothing found so far
            found = find(standard, begin, end);
        }
    });
    return found;
}

}  // namespace pointsman::detail
