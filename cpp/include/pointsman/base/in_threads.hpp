// SPDX-License-Identifier: Apache-2.0
// Runs a function on parts of a range of indices in TBB's threads, by code that is compiled once for all functions.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <functional>

#include "pointsman/base/tbb_threads.hpp"

namespace pointsman::detail {

/// A function that is called with the begin and the end of a part, by reference. TBB's algorithms are compiled for
/// each type of function, at the cost of dozens of functions each; this is one type for all with the same result.
template <class Result = void>
struct part_function {
    const void* run;
    Result (*call)(const void*, std::size_t, std::size_t);

    Result operator()(std::size_t begin, std::size_t end) const { return call(run, begin, end); }
};

template <class Run>
auto call_part(const void* run, std::size_t begin, std::size_t end) {
    return (*static_cast<const Run*>(run))(begin, end);
}

/// Runs the loop in a context of its own: TBB would silently skip it inside a cancelled loop of the caller.
inline void for_parts(std::size_t count, std::size_t least, const part_function<>& run) {
    tbb_threads::note_use();
    tbb::task_group_context on_its_own{tbb::task_group_context::isolated};
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>{0, count, least},
        [&run](const tbb::blocked_range<std::size_t>& part) { run(part.begin(), part.end()); },
        on_its_own);
}

/// Isolates the loop from what the caller runs, and its parts from each other.
inline void for_parts_isolated(std::size_t count, std::size_t least, const part_function<>& run) {
    const auto part_alone = [&run](std::size_t begin, std::size_t end) {
        tbb::this_task_arena::isolate([&] { run(begin, end); });
    };
    tbb::this_task_arena::isolate(
        [&] { for_parts(count, least, {&part_alone, call_part<decltype(part_alone)>}); });
}

/// Each thread adds up what its parts return: one number that all add to would pass from core to core for each part.
inline std::size_t sum_of_parts_isolated(std::size_t count, std::size_t least,
                                         const part_function<std::size_t>& count_part) {
    tbb_threads::note_use();
    tbb::task_group_context on_its_own{tbb::task_group_context::isolated};
    return tbb::this_task_arena::isolate([&] {
        return tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>{0, count, least}, std::size_t{0},
            [&](const tbb::blocked_range<std::size_t>& part, std::size_t sum) {
                return sum + tbb::this_task_arena::isolate(
                                 [&] { return count_part(part.begin(), part.end()); });
            },
            std::plus<>{}, on_its_own);
    });
}

/// Calls `run(begin, end)` for parts that together are the indices below `count`, in TBB's threads. No part is
/// split that has at most `least` indices. An exception from `run` is thrown again once all parts have ended.
/// A thread whose part waits for other tasks of TBB may run another part meanwhile: `run` must not wait while it holds
/// a lock.
template <class Run>
void in_threads(std::size_t count, std::size_t least, const Run& run) {
    for_parts(count, least, {&run, call_part<Run>});
}

/// Like `in_threads`, but a thread that waits in a part never runs another part: for `run` that calls functions of a
/// user, which may hold a lock.
template <class Run>
void in_threads_isolated(std::size_t count, std::size_t least, const Run& run) {
    for_parts_isolated(count, least, {&run, call_part<Run>});
}

/// Returns the sum of what `count_part(begin, end)` returns, a `std::size_t`, for parts as those of
/// `in_threads_isolated`.
template <class CountPart>
[[nodiscard]] std::size_t sum_in_threads_isolated(std::size_t count, std::size_t least,
                                                  const CountPart& count_part) {
    return sum_of_parts_isolated(count, least, {&count_part, call_part<CountPart>});
}

}  // namespace pointsman::detail
