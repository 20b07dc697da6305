// SPDX-License-Identifier: Apache-2.0
// round_robin_policy: its order, its offset, and the position that all copies share.
#include "pointsman/policy/round_robin_policy.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/message_of.hpp"

namespace {

using pointsman::round_robin_policy;

std::vector<int> choices(round_robin_policy<int>& p, int n) {
    std::vector<int> all;
    for (int i = 0; i < n; ++i) {
        all.push_back(p.submit([](int r) { return r; }).unwrap());
    }
    return all;
}

TEST(RoundRobin, returns_to_the_first_resource_after_the_last) {
    round_robin_policy p{{1, 2, 3}};
    EXPECT_EQ(choices(p, 7), (std::vector{1, 2, 3, 1, 2, 3, 1}));
}

TEST(RoundRobin, begins_at_its_offset) {
    round_robin_policy p{{1, 2, 3}, 2};
    EXPECT_EQ(choices(p, 4), (std::vector{3, 1, 2, 3}));
}

TEST(RoundRobin, copies_share_the_turn) {
    round_robin_policy p{{1, 2, 3}};
    auto q = p;
    EXPECT_EQ(choices(p, 1), std::vector{1});
    EXPECT_EQ(choices(q, 1), std::vector{2});
    EXPECT_EQ(choices(p, 1), std::vector{3});
}

TEST(RoundRobin, refuses_an_offset_outside_its_set) {
    EXPECT_EQ(
        pointsman::test::message_of<std::out_of_range>([] { round_robin_policy p{{1, 2}, 2}; }),
        "resource index 2 is outside a set of 2: pass an index from 0 to 1");
}

}  // namespace
