// SPDX-License-Identifier: Apache-2.0
// Loops in TBB's threads run every index once, in a cancelled loop of the caller too, and apart if asked to.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB
#include "pointsman/base/in_threads.hpp"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "support/wait_for_another.hpp"

namespace pointsman::test {
namespace {

using detail::in_threads;
using detail::in_threads_isolated;

/// How often each of `count` indices is in a part of a loop by `loop(count, least, run)`.
template <class Loop>
std::vector<int> visits(std::size_t count, std::size_t least, const Loop& loop) {
    std::vector<std::atomic<int>> visited(count);
    loop(count, least, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ++visited[i];
        }
    });
    return {visited.begin(), visited.end()};
}
constexpr auto together = [](std::size_t count, std::size_t least, const auto& run) {
    in_threads(count, least, run);
};
constexpr auto apart = [](std::size_t count, std::size_t least, const auto& run) {
    in_threads_isolated(count, least, run);
};

TEST(InThreads, every_index_is_in_one_part) {
    for (const std::size_t count : {0U, 1U, 2U, 1'000U, 100'003U}) {
        for (const std::size_t least : {1U, 7U, 5'000U}) {
            EXPECT_EQ(visits(count, least, together), std::vector<int>(count, 1));
            EXPECT_EQ(visits(count, least, apart), std::vector<int>(count, 1));
        }
    }
}

TEST(InThreads, an_exception_reaches_the_caller) {
    const auto fail = [](std::size_t, std::size_t) { throw std::runtime_error{"here"}; };
    EXPECT_THROW(in_threads(100, 1, fail), std::runtime_error);
    EXPECT_THROW(in_threads_isolated(100, 1, fail), std::runtime_error);
}

TEST(InThreads, a_cancelled_loop_around_it_leaves_nothing_out) {
    tbb::task_group_context of_caller;
    const auto run_both = [&](int) {
        of_caller.cancel_group_execution();
        EXPECT_EQ(visits(1'000, 1, together), std::vector<int>(1'000, 1));
        EXPECT_EQ(visits(1'000, 1, apart), std::vector<int>(1'000, 1));
    };
    tbb::parallel_for(0, 1, run_both, of_caller);
}

TEST(InThreads, a_thread_that_waits_in_a_part_apart_runs_no_other) {
    const tbb::global_control allowed{tbb::global_control::max_allowed_parallelism, 4};
    std::atomic<int> entered_again{0};
    tbb::task_arena{4}.execute([&] {
        in_threads_isolated(50, 1, [&](std::size_t, std::size_t) {
            static thread_local int inside = 0;
            entered_again += inside;
            ++inside;
            wait_for_another();
            --inside;
        });
    });
    EXPECT_EQ(entered_again, 0);
}

}  // namespace
}  // namespace pointsman::test
