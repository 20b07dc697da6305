// SPDX-License-Identifier: Apache-2.0
// Starts an algorithm in the calling thread, and continues in several threads if that is faster.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// An upper estimate of the time that other threads take to wake up.
inline constexpr std::chrono::microseconds waking_time{10};

/// How long one thread has taken for some values of a call.
struct pace {
    std::chrono::nanoseconds taken;
    std::ptrdiff_t values;

    /// The number of values that take `time`, at least one.
    [[nodiscard]] constexpr std::ptrdiff_t values_in(std::chrono::nanoseconds time) const noexcept {
        constexpr std::chrono::nanoseconds least{1};
        return std::max<std::ptrdiff_t>(time * values / std::max(taken, least), 1);
    }
    /// Returns true if `left` more values take longer than `time`.
    [[nodiscard]] constexpr bool takes_longer(std::ptrdiff_t left,
                                              std::chrono::nanoseconds time) const noexcept {
        // In integers, an hour of work would overflow.
        return static_cast<double>(taken.count()) * static_cast<double>(left) >
               static_cast<double>(time.count()) * static_cast<double>(values);
    }
};

/// Returns true if several threads, which lose `lost`, would process the `left` remaining values of a call sooner.
[[nodiscard]] constexpr bool threads_pay(const pace& latest, std::ptrdiff_t left,
                                         std::chrono::nanoseconds lost = waking_time) noexcept {
    // The first value may take most of a microsecond only because caches are cold. Hundreds of values tell enough in a
    // shorter time, which matters if many are left, and thousands in any time.
    const bool are_many = latest.values >= 512 && left >= steps_worth_threads;
    const std::chrono::nanoseconds enough = are_many ? lost / 40 : std::chrono::microseconds{1};
    const bool is_known = latest.taken >= enough || latest.values >= 4'096;
    return is_known && latest.takes_longer(left, lost);
}

/// Returns the grain size for TBB, which splits larger parts of the `left` remaining values: the values of a microsecond,
/// beside which splitting is cheap, but at most an eighth of a thread's share, so that threads can balance values that
/// turn out costly.
[[nodiscard]] inline std::size_t grain_size(const pace& latest, std::ptrdiff_t left) noexcept {
    const auto threads = static_cast<std::ptrdiff_t>(tbb::this_task_arena::max_concurrency());
    const std::ptrdiff_t most = std::max<std::ptrdiff_t>(left / (8 * threads), 1);
    return static_cast<std::size_t>(std::min(latest.values_in(std::chrono::microseconds{1}), most));
}

/// Predicts whether each value of a call takes so long that the calling thread should not process the
/// first values alone. Predicts so after a call whose first value took `waking_time` or longer; one call in
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

/// Where the calling thread has stopped, and how fast it was last.
template <class It>
struct begun_call {
    It next;
    pace latest;
};

/// Calls `run_block(policy, begin, end)` in the calling thread for consecutive blocks of increasing
/// size. Stops when several threads, which lose `lost`, would be faster, or when `run_block` returns true: nothing is left
/// to do then. Returns where threads must continue.
///
/// Reading the clock by `now()` takes as long as a hundred cheap values, so each block has up to seven times as many as all
/// before, but no more than should take two microseconds: the values may become costly. Blocks begin at multiples of 64
/// values if they are long, so that they are aligned in memory as the range is.
template <execution::host_policy P, class It, class RunBlock, class Now>
begun_call<It> begin_alone(const P& policy, It first, It last, const RunBlock& run_block,
                           costly_values& costly, std::chrono::nanoseconds lost, const Now& now) {
    constexpr std::chrono::microseconds most{2};
    constexpr std::ptrdiff_t aligned = 64;
    const It begin = first;
    pace latest{};
    auto start = now();
    for (std::ptrdiff_t step = 1; first != last;) {
        const std::ptrdiff_t values = std::min<std::ptrdiff_t>(step, last - first);
        const It end = first + static_cast<std::iter_difference_t<It>>(values);
        if constexpr (std::is_void_v<decltype(run_block(standard_alone(policy), first, end))>) {
            run_block(standard_alone(policy), first, end);
        } else if (run_block(standard_alone(policy), first, end)) {
            return {last, latest};
        }
        first = end;
        if (first == last && step > 1) {
            break;
        }
        const auto stop = now();
        latest = {stop - start, values};
        start = stop;
        if (step == 1) {
            costly.note_first(latest.taken);
        }
        if (threads_pay(latest, last - first, lost)) {
            break;
        }
        const std::ptrdiff_t done = first - begin;
        step = 7 * latest.taken <= most ? 7 * done : std::max(step, latest.values_in(most));
        step -= step < aligned ? 0 : step % aligned;
    }
    return {first, latest};
}

/// Calls `run_block(policy, begin, end)` as `begin_alone` does, so that a cheap call takes little longer under `par` than
/// under `seq`, and then `run_rest(begin, end, pace)` for what is left, if anything is. `lost` is the time that threads lose in
/// `run_rest`. An exception ends the program, as the standard requires of algorithms with a policy.
template <execution::host_policy P, class It, class RunBlock, class RunRest>
void begin_in_blocks(const P& policy, It first, It last, const RunBlock& run_block,
                     const RunRest& run_rest,
                     std::chrono::nanoseconds lost = waking_time) noexcept {
    static costly_values costly;  // one for each type `RunBlock`
    begun_call<It> begun{first, {waking_time, 1}};
    if (!costly.are_expected()) {
        begun =
            begin_alone(policy, first, last, run_block, costly, lost, [] { return clock::now(); });
    }
    if (begun.next != last) {
        run_rest(begun.next, last, begun.latest);
    }
}

/// Calls `run_block(policy, begin, end)` in several threads for blocks that together are [`first`, `last`).
template <execution::host_policy P, class It, class RunBlock>
void blocks_in_threads(const P& policy, It first, It last, const pace& latest,
                       const RunBlock& run_block) {
    const auto run_part = [&](std::size_t part, std::size_t end) {
        run_block(standard_alone(policy), ahead(first, part), ahead(first, end));
    };
    in_threads_isolated(static_cast<std::size_t>(last - first), grain_size(latest, last - first),
                        run_part);
}

/// Calls `run_block(policy, begin, end)`, with `std::execution::seq` or `unseq`, for blocks that together are
/// [`first`, `last`): if `P` is parallel, the first as `begin_in_blocks` does, and the others in several threads.
template <execution::host_policy P, class It, class RunBlock>
void in_blocks(const P& policy, It first, It last, const RunBlock& run_block) noexcept {
    if constexpr (is_parallel_v<P> && indexed_iterator<It>) {
        begin_in_blocks(policy, first, last, run_block, [&](It begin, It end, const pace& latest) {
            blocks_in_threads(policy, begin, end, latest, run_block);
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
        begin_in_blocks(
            policy, first, last, count_block, [&](It begin, It end, const pace& latest) {
                const auto count_part = [&](std::size_t part, std::size_t part_end) {
                    return static_cast<std::size_t>(
                        count(standard_alone(policy), ahead(begin, part), ahead(begin, part_end)));
                };
                all += static_cast<std::iter_difference_t<It>>(
                    sum_in_threads_isolated(static_cast<std::size_t>(end - begin),
                                            grain_size(latest, end - begin), count_part));
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
        std::atomic<std::iter_difference_t<It>> found{last - first};
        /// Returns true if it has found one.
        const auto find_in_block = [&](const auto& standard, It begin, It end) {
            constexpr std::iter_difference_t<It> most = 1'024;
            for (std::iter_difference_t<It> step = 8;
                 begin != end && begin - first < found.load(std::memory_order_relaxed);
                 step = std::min(2 * step, most)) {
                const It until = begin + std::min<std::iter_difference_t<It>>(step, end - begin);
                const It at = find(standard, begin, until);
                if (at != until) {
                    lower_to(found, static_cast<std::iter_difference_t<It>>(at - first));
                    return true;
                }
                begin = until;
            }
            return false;
        };
        begin_in_blocks(policy, first, last, find_in_block,
                        [&](It begin, It end, const pace& latest) {
                            blocks_in_threads(policy, begin, end, latest, find_in_block);
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
