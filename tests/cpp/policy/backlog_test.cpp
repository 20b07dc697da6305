// SPDX-License-Identifier: Apache-2.0
// Outstanding work, measured in predicted time.
#include "pointsman/policy/detail/backlog.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace {

using namespace std::chrono_literals;
using pointsman::backlog;
using loads = std::vector<std::size_t>;

TEST(Backlog, adds_up_tasks_and_their_times) {
    backlog all{2};
    EXPECT_EQ(all.add(1, 30us).tasks, 0U);
    const auto before = all.add(1, 20us);
    EXPECT_EQ(before.tasks, 1U);
    EXPECT_EQ(before.time, 30us);
    EXPECT_EQ(all.time(1), 50us);
    EXPECT_EQ(all.loads(), (loads{0, 2}));
    all.subtract(1, 30us);
    EXPECT_EQ(all.time(1), 20us);
    EXPECT_EQ(all.loads(), (loads{0, 1}));
}

TEST(Backlog, attributes_all_time_to_a_task_with_nothing_before_it) {
    EXPECT_EQ((backlog::amount{}.share_of(70us, 10us)), 70us);
}

TEST(Backlog, shares_the_time_in_the_proportion_of_the_predictions) {
    const backlog::amount before{.tasks = 2, .time = 30us};
    EXPECT_EQ(before.share_of(80us, 10us), 20us) << "all took twice as long as predicted";
}

TEST(Backlog, shares_the_time_equally_without_predictions) {
    const backlog::amount before{.tasks = 3, .time = 30us};
    EXPECT_EQ(before.share_of(80us, 0us), 20us);
}

}  // namespace
