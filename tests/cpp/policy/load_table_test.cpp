// SPDX-License-Identifier: Apache-2.0
// load_table finds the least loaded resource, on one thread and on several.
#include "pointsman/policy/detail/load_table.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace {

using pointsman::load_table;

/// Reserves a resource and releases it at once.
std::size_t visit(load_table& loads, std::size_t thread) {
    const auto index = loads.reserve_least(thread);
    loads.subtract(index);
    return index;
}

TEST(LoadTable, rotates_among_idle_resources) {
    load_table loads{3, 1};
    for (std::size_t i = 0; i < 30; ++i) {
        ASSERT_EQ(visit(loads, 0), (1 + i) % 3);
    }
}

TEST(LoadTable, begins_every_scan_at_the_offset_when_ties_go_to_the_first) {
    load_table loads{3, 1, pointsman::tie_break::first};
    for (std::size_t thread = 0; thread < 20; ++thread) {
        ASSERT_EQ(visit(loads, thread % 3), 1U);
    }
    EXPECT_EQ(loads.reserve_least(0), 1U);
    EXPECT_EQ(loads.reserve_least(1), 2U);
    EXPECT_EQ(loads.reserve_least(0), 0U);
    EXPECT_EQ(loads.reserve_least(1), 1U);
}

TEST(LoadTable, takes_the_least_loaded_when_none_is_idle) {
    load_table loads{3};
    for (std::size_t index : {0U, 0U, 1U, 2U, 2U}) {
        loads.add(index);
    }
    EXPECT_EQ(loads.reserve_least(0), 1U);
    EXPECT_EQ(loads.loads(), (std::vector<std::size_t>{2, 2, 2}));
}

TEST(LoadTable, a_thread_stays_for_a_while_with_an_idle_resource_of_another_thread) {
    load_table loads{2};
    visit(loads, 0);
    visit(loads, 0);
    for (int i = 0; i < 8; ++i) {
        ASSERT_EQ(visit(loads, 1), 0U);
    }
    EXPECT_EQ(visit(loads, 1), 1U);
}

TEST(LoadTable, a_thread_does_not_stay_with_a_busy_resource) {
    load_table loads{2};
    visit(loads, 0);
    visit(loads, 0);
    EXPECT_EQ(loads.reserve_least(1), 0U);
    EXPECT_EQ(loads.reserve_least(1), 1U);
}

TEST(LoadTable, rotates_again_when_the_other_threads_have_gone) {
    load_table loads{2};
    visit(loads, 0);
    visit(loads, 0);
    for (int i = 0; i < 16; ++i) {
        visit(loads, 1);
    }
    for (std::size_t i = 0; i < 10; ++i) {
        ASSERT_EQ(visit(loads, 1), i % 2);
    }
}

TEST(LoadTable, does_not_count_below_zero) {
    load_table loads{2};
    loads.subtract(0);
    EXPECT_EQ(loads.loads(), (std::vector<std::size_t>{0, 0}));
    EXPECT_EQ(loads.reserve_least(0), 0U);
}

TEST(LoadTable, serves_threads_beyond_its_slots) {
    load_table loads{2};
    constexpr std::size_t beyond = pointsman::detail::thread_slots<int>::limit + 3;
    EXPECT_EQ(loads.reserve_least(beyond), 0U);
    EXPECT_EQ(loads.reserve_least(beyond), 1U);
}

}  // namespace
