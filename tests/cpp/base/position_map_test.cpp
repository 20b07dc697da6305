// SPDX-License-Identifier: Apache-2.0
// A map of numbers to positions holds what a hash table would.
#include "pointsman/base/position_map.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <unordered_map>

namespace {

TEST(PositionMap, holds_what_a_hash_table_does) {
    std::mt19937_64 random{7};
    pointsman::detail::position_map positions{100};
    std::unordered_map<std::uint64_t, std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 5'000; ++i) {
        const std::uint64_t number = i % 50 == 0 ? random() : random() % 200;
        const auto [position, is_new] = positions.try_emplace(number, i);
        const auto [known, is_expected_new] = expected.try_emplace(number, i);
        ASSERT_EQ(position, known->second) << number;
        ASSERT_EQ(is_new, is_expected_new) << number;
        const std::uint64_t other = random() % 250;
        const auto there = expected.find(other);
        ASSERT_EQ(positions.find(other),
                  there == expected.end() ? std::nullopt : std::optional{there->second});
    }
}

}  // namespace
