// SPDX-License-Identifier: Apache-2.0
// Starts an algorithm in the calling thread, and continues in several threads if that is faster.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"
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
///
/// Reading the clock takes as long as a hundred cheap values, so each block has eight times as many as the one before:
/// if the values are alike, a block that follows a microsecond of work takes less than `waking_time`.
///
/// `now()` returns the time.
template <execution::host_policy P, class It, class RunBlock, class Now>
It begin_alone(const P& policy, It first, It last, const RunBlock& run_block, costly_values& costly,
               const Now& now) {
    const It begin = first;
    const auto start = now();
    for (std::iter_difference_t<It> step = 1; first != last; step *= 8) {
        const It end = first + std::min(step, last - first);
        run_block(standard_alone(policy), first, end);
        first = end;
        if (first == last && step > 1) {
            break;
        }
        const auto taken = now() - start;
        if (step == 1) {
            costly.note_first(taken);
        }
        if (threads_pay(taken, first - begin, last - first)) {
            break;
        }
    }
    return first;
}

/// Calls `run_block(policy, begin, end)` as `begin_alone` does, so that a cheap call takes as long under `par` as under
/// `seq`, and then `run_rest(begin, end)` for what is left, if anything is. An exception ends the program, as the
/// standard requires of algorithms with a policy.
template <execution::host_policy P, class It, class RunBlock, class RunRest>
void begin_in_blocks(const P& policy, It first, It last, const RunBlock& run_block,
                     const RunRest& run_rest) noexcept {
    static costly_values costly;  // one for each type `RunBlock`
    if (last - first < steps_worth_threads && !costly.are_expected()) {
        first = begin_alone(policy, first, last, run_block, costly, [] { return clock::now(); });
    }
    if (first != last) {
        run_rest(first, last);
    }
}

/// Calls `run_block(policy, begin, end)`, with `std::execution::seq` or `unseq`, for blocks that together are
/// [`first`, `last`): if `P` is parallel, small ones as `begin_in_blocks` does, and the others in several threads.
template <execution::host_policy P, class It, class RunBlock>
void in_blocks(const P& policy, It first, It last, const RunBlock& run_block) noexcept {
    if constexpr (is_parallel_v<P> && indexed_iterator<It>) {
        begin_in_blocks(policy, first, last, run_block, [&](It begin, It end) {
            in_threads_isolated(static_cast<std::size_t>(end - begin), 1,
                                [&](std::size_t part, std::size_t part_end) {
                                    run_block(standard_alone(policy), ahead(begin, part),
                                              ahead(begin, part_end));
                                });
        });
    } else if (first != last) {
        run_block(standard_alone(policy), first, last);
    }
}

/// Like `in_blocks`, for blocks whose elements `change_block` changes.
template <execution::host_policy P, class It, class ChangeBlock>
void change_in_blocks(const P& policy, It first, It last, const ChangeBlock& change_block) {
    if constexpr (shared_output<It>) {
        in_blocks(policy, first, last, change_block);
    } else {
        in_blocks(in_calling_thread(policy), first, last, change_block);
    }
}

/// Like `in_blocks`: calls `write(policy, begin, end, to)`, which writes one result for each value of a block to the
/// range beginning at `to` and returns its end. Returns the end of the output, which begins at `out`.
template <execution::host_policy P, class In, class Out, class Write>
Out write_in_blocks(const P& policy, In first, In last, Out out, const Write& write) {
    if constexpr (is_parallel_v<P> && indexed_iterator<In> && shared_output<Out>) {
        const auto index = [&](In at) { return static_cast<std::size_t>(at - first); };
        in_blocks(policy, first, last, [&](const auto& standard, In begin, In end) {
            write(standard, begin, end, ahead(out, index(begin)));
        });
        return ahead(out, index(last));
    } else {
        const auto write_all = [&](const auto& standard, In begin, In end) {
            out = write(standard, begin, end, out);
        };
        in_blocks(in_calling_thread(policy), first, last, write_all);
        return out;
    }
}

/// Returns the sum of `count(policy, begin, end)` for blocks as those of `in_blocks`.
template <execution::host_policy P, class It, class Count>
std::iter_difference_t<It> count_in_blocks(const P& policy, It first, It last, const Count& count) {
    std::iter_difference_t<It> all = 0;
    const auto count_block = [&](const auto& standard, It begin, It end) {
        all += count(standard, begin, end);
    };
    if constexpr (is_parallel_v<P> && indexed_iterator<It>) {
        begin_in_blocks(policy, first, last, count_block, [&](It begin, It end) {
            const auto count_part = [&](std::size_t part, std::size_t part_end) {
                return static_cast<std::size_t>(
                    count(standard_alone(policy), ahead(begin, part), ahead(begin, part_end)));
            };
            all += static_cast<std::iter_difference_t<It>>(
                sum_in_threads_isolated(static_cast<std::size_t>(end - begin), 1, count_part));
        });
    } else {
        in_blocks(policy, first, last, count_block);
    }
    return all;
}

/// Sets `least` to `value` if that is less.
template <class T>
void lower_to(std::atomic<T>& least, T value) noexcept {
    T seen = least.load(std::memory_order_relaxed);
    while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
}

/// Returns the first of the results of `find(policy, begin, end)` other than `end` for blocks that together are
/// [`first`, `last`), or `last` if there is none. Threads leave out what comes after a result of another thread.
template <execution::host_policy P, class It, class Find>
It find_in_blocks(const P& policy, It first, It last, const Find& find) {
    if constexpr (is_parallel_v<P> && indexed_iterator<It>) {
        constexpr std::iter_difference_t<It> alone = 64;
        if (last - first >= steps_worth_threads) {  // threads take longer to wake up
            const It found = find(standard_alone(policy), first, first + alone);
            if (found != first + alone) {
                return found;
            }
            first = found;
        }
        std::atomic<std::iter_difference_t<It>> found{last - first};
        in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
            constexpr std::iter_difference_t<It> most = 1'024;
            for (std::iter_difference_t<It> step = 8;
                 begin != end && begin - first < found.load(std::memory_order_relaxed);
                 step = std::min(2 * step, most)) {
                const It until = begin + std::min<std::iter_difference_t<It>>(step, end - begin);
                const It at = find(standard, begin, until);
                if (at != until) {
                    lower_to(found, static_cast<std::iter_difference_t<It>>(at - first));
                    return;
                }
                begin = until;
            }
        });
        return first + found.load(std::memory_order_relaxed);
    } else {
        It found = last;
        in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
            found = find(standard, begin, end);
        });
        return found;
    }
}

}  // namespace pointsman::detail
