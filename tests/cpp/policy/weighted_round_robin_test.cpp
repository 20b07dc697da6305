// SPDX-License-Identifier: Apache-2.0
// weighted_round_robin_policy gives each resource turns by its weight, evenly spread.
#include "pointsman/policy/weighted_round_robin_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/message_of.hpp"

namespace {

using pointsman::weighted_order;
using pointsman::weighted_round_robin_policy;
using order = std::vector<std::uint32_t>;
namespace t = pointsman::test;

TEST(WeightedOrder, spreads_the_turns_of_a_heavy_resource) {
    EXPECT_EQ(weighted_order(3, {5, 1, 1}), (order{0, 0, 1, 0, 2, 0, 0}));
}

TEST(WeightedOrder, of_equal_weights_is_the_plain_rotation) {
    EXPECT_EQ(weighted_order(3, {4, 4, 4}), (order{0, 1, 2}));
    EXPECT_EQ(weighted_order(3, {}), (order{0, 1, 2}));
}

TEST(WeightedOrder, gives_each_resource_its_weight) {
    const std::vector<std::uint32_t> weights{7, 0, 13, 1, 30};
    const auto round = weighted_order(5, weights);
    EXPECT_EQ(round.size(), 51U);
    for (std::uint32_t i = 0; i < 5; ++i) {
        EXPECT_EQ(std::ranges::count(round, i), weights[i]);
    }
}

TEST(WeightedRoundRobin, follows_the_order_round_after_round) {
    weighted_round_robin_policy p{{10, 20}, {2, 1}};
    std::vector<int> chosen;
    for (int i = 0; i < 6; ++i) {
        chosen.push_back(p.submit([](int r) { return r; }).unwrap());
    }
    EXPECT_EQ(chosen, (std::vector{10, 20, 10, 10, 20, 10}));
}

TEST(WeightedRoundRobin, takes_new_weights_with_a_new_set) {
    weighted_round_robin_policy p{{1, 2}, {1, 0}};
    p.initialize({3, 4, 5}, std::vector<std::uint32_t>{0, 0, 1});
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 5);
}

std::string refusal_of(std::vector<std::uint32_t> weights) {
    return t::message_of<std::invalid_argument>(
        [&] { weighted_round_robin_policy<int> p{std::vector{1, 2}, weights}; });
}

TEST(WeightedRoundRobin, refuses_invalid_weights) {
    EXPECT_EQ(refusal_of({1, 2, 3}),
              "3 weights for 2 resources: pass one for each resource, or none");
    EXPECT_EQ(refusal_of({0, 0}),
              "all weights are 0: pass a positive one for each resource in use");
    EXPECT_EQ(refusal_of({65'536, 1}),
              "the weights add up to 65537 turns a round: pass smaller ones, 65536 turns at most");
}

TEST(WeightedRoundRobin, takes_large_weights_with_a_common_factor) {
    weighted_round_robin_policy p{{1, 2}, {3'000'000'000, 1'000'000'000}};
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 1);
}

}  // namespace
