// SPDX-License-Identifier: Apache-2.0
// The simulated machine: queues, slots, latencies, and hardware that tasks share.
#include "pointsman/replay/machine.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "pointsman/replay/place.hpp"

namespace {

using namespace std::chrono_literals;
namespace replay = pointsman::replay;

TEST(Machine, a_place_runs_its_tasks_one_after_the_other) {
    replay::machine made{{replay::place_with("a", 1)}};
    made.submit(0, 0, 10);
    made.submit(1, 0, 5);
    EXPECT_EQ(made.next().number, 0U);
    EXPECT_DOUBLE_EQ(made.now(), 10);
    const auto second = made.next();
    EXPECT_EQ(second.number, 1U);
    EXPECT_DOUBLE_EQ(second.started, 10);
    EXPECT_DOUBLE_EQ(made.now(), 15);
    EXPECT_EQ(made.outstanding(), 0U);
}

TEST(Machine, a_place_with_two_slots_runs_two_tasks_at_full_speed) {
    replay::machine made{{replay::place_with("a", 2)}};
    for (std::size_t i = 0; i < 3; ++i) {
        made.submit(i, 0, 10);
    }
    made.next();
    made.next();
    EXPECT_DOUBLE_EQ(made.now(), 10);
    made.next();
    EXPECT_DOUBLE_EQ(made.now(), 20);
}

TEST(Machine, places_of_one_domain_share_its_capacity) {
    const pointsman::domain cores{.id = 7, .capacity = 1, .slots = 1, .threads_each = 1};
    replay::machine made{{{"a", cores, {}}, {"b", cores, {}}}};
    made.submit(0, 0, 10);
    made.submit(1, 1, 30);
    EXPECT_EQ(made.next().number, 0U);
    EXPECT_DOUBLE_EQ(made.now(), 20);
    EXPECT_EQ(made.next().number, 1U);
    EXPECT_DOUBLE_EQ(made.now(), 40);
}

TEST(Machine, a_task_starts_when_its_latency_has_passed) {
    replay::machine made{{{"a", {}, 3ns}}};
    made.submit(0, 0, 10);
    made.submit(1, 0, 10);
    EXPECT_DOUBLE_EQ(made.next().started, 3);
    EXPECT_DOUBLE_EQ(made.next().started, 13);
}

TEST(Machine, the_time_stops_at_the_limit) {
    replay::machine made{{replay::place_with("a", 1)}};
    made.submit(0, 0, 10);
    EXPECT_FALSE(made.next_until(4).has_value());
    EXPECT_DOUBLE_EQ(made.now(), 4);
    made.submit(1, 0, 1);
    EXPECT_EQ(made.next().number, 0U);
    EXPECT_DOUBLE_EQ(made.next().submitted, 4);
}

TEST(Machine, starts_are_told_before_later_ends) {
    replay::machine made{{{"a", {}, 1ns}, {"b", {}, {}}}};
    made.tell_starts();
    made.submit(0, 0, 10);
    made.submit(1, 1, 5);
    const auto first = made.next();
    EXPECT_EQ(first.number, 1U);
    EXPECT_FALSE(first.is_end);
    const auto second = made.next();
    EXPECT_EQ(second.number, 0U);
    EXPECT_FALSE(second.is_end);
    EXPECT_TRUE(made.next().is_end);
}

}  // namespace
