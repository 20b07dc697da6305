// SPDX-License-Identifier: Apache-2.0
// The critical path is the makespan of a replay on a machine where no task ever waits for another one.
#include "pointsman/replay/detail/critical_path.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/fixed_resource_policy.hpp"
#include "pointsman/replay/bound.hpp"
#include "pointsman/replay/replay.hpp"
#include "random_workload.hpp"

namespace {

namespace pm = pointsman;
namespace replay = pointsman::replay;
using replay::action;

/// A machine with room for all tasks at once.
std::vector<replay::place> unlimited(std::size_t tasks, std::int64_t latency) {
    std::vector<replay::place> places{replay::place_with("", tasks)};
    places[0].latency = pm::clock::duration{latency};
    return places;
}
std::vector<double> times_of(const replay::workload& work) {
    std::vector<double> times;
    for (std::size_t i = 0; i < work.size(); ++i) {
        times.push_back(work.time_on(i, 0));
    }
    return times;
}
std::string refusal_of(const replay::workload& work) {
    try {
        (void)replay::makespan_bound(work, unlimited(1, 0));
    } catch (const pm::invalid_option& refused) {
        return refused.what();
    }
    return "";
}
replay::workload of_threads(std::vector<std::vector<action>> threads, std::size_t tasks) {
    replay::workload work;
    work.kinds = {{1, 1}};
    work.kind_of.resize(tasks);
    work.threads = std::move(threads);
    work.time_on = [](std::size_t task, std::size_t) { return 100.0 * double(task + 1); };
    return work;
}

TEST(CriticalPath, is_the_makespan_of_replays_without_queues) {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        const std::size_t tasks = 1 + seed % 40;
        auto work = pm::testing::random_workload(tasks, 1, seed);
        if (seed % 3 == 0) {  // a third thread waits for tasks of the other ones
            work.threads.push_back(
                {{1'000, static_cast<std::uint32_t>(tasks) / 2, action::kind::wait_for_all},
                 {500, seed % static_cast<std::uint32_t>(tasks), action::kind::wait}});
        }
        const std::int64_t latency = seed % 2 == 0 ? 0 : 700;
        const auto made =
            replay::replay<pm::fixed_resource_policy>(work, unlimited(tasks, latency));
        const auto times = times_of(work);
        replay::detail::critical_path path{work, times, double(latency)};
        ASSERT_NEAR(path.length(), made.makespan, 1e-6 * made.makespan) << "seed " << seed;
    }
}

TEST(CriticalPath, goes_on_where_a_thread_waits_for_tasks_that_come_later) {
    // The first thread waits for a task of the second, which waits for all tasks before.
    const auto work = of_threads(
        {{{0, 0, action::kind::submit}, {0, 1, action::kind::wait}, {5, 2, action::kind::submit}},
         {{7, 1, action::kind::submit},
          {0, 3, action::kind::wait_for_all},
          {1, 3, action::kind::submit}}},
        4);
    const auto times = times_of(work);
    replay::detail::critical_path path{work, times, 10};
    // 1 ends at 7 + 10 + 200, 2 at that + 5 + 10 + 300, 3 at that + 1 + 10 + 400.
    EXPECT_DOUBLE_EQ(path.length(), 217 + 315 + 411);
}

TEST(CriticalPath, refuses_programs_that_wait_for_ever) {
    const auto circle = of_threads({{{0, 1, action::kind::wait}, {0, 0, action::kind::submit}},
                                    {{0, 0, action::kind::wait}, {0, 1, action::kind::submit}}},
                                   2);
    EXPECT_NE(refusal_of(circle).find("2 tasks submits only 0"), std::string::npos)
        << refusal_of(circle);
}

TEST(MakespanBound, refuses_workloads_that_are_not_valid) {
    const auto own =
        of_threads({{{0, 0, action::kind::submit}, {0, 2, action::kind::wait_for_own}}}, 1);
    EXPECT_NE(refusal_of(own).find("waits for task number 2"), std::string::npos)
        << refusal_of(own);
}

}  // namespace
