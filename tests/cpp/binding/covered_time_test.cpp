// SPDX-License-Identifier: Apache-2.0
#include "pointsman/binding/covered_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pointsman::binding {
namespace {

clock::time_point at(int nanoseconds) { return clock::time_point{clock::duration{nanoseconds}}; }

TEST(CoveredTime, counts_each_moment_once) {
    covered_time covered;
    EXPECT_EQ(covered.add(at(10), at(20)).count(), 10);
    EXPECT_EQ(covered.add(at(10), at(20)).count(), 0);
    EXPECT_EQ(covered.add(at(15), at(25)).count(), 5);
    EXPECT_EQ(covered.add(at(40), at(50)).count(), 10);
    EXPECT_EQ(covered.add(at(0), at(60)).count(), 60 - 25);
}

TEST(CoveredTime, ignores_intervals_that_end_before_they_begin) {
    covered_time covered;
    EXPECT_EQ(covered.add(at(20), at(10)).count(), 0);
    EXPECT_EQ(covered.add(at(5), at(5)).count(), 0);
    EXPECT_EQ(covered.add(at(0), at(30)).count(), 30);
}

TEST(CoveredTime, equals_the_union_of_random_intervals) {
    std::mt19937 random{1};
    for (int round = 0; round < 200; ++round) {
        covered_time covered;
        std::vector<bool> is_covered(64);
        for (int i = 0; i < 30; ++i) {
            // Seven stretches at most, so that none is forgotten.
            const auto begin = static_cast<int>(random() % 7) * 9 + static_cast<int>(random() % 4);
            const auto end =
                std::min(begin + static_cast<int>(random() % (i % 5 == 0 ? 20 : 4)), 63);
            int fresh = 0;
            for (int t = begin; t < end; ++t) {
                fresh += is_covered[static_cast<std::size_t>(t)] ? 0 : 1;
                is_covered[static_cast<std::size_t>(t)] = true;
            }
            ASSERT_EQ(covered.add(at(begin), at(end)).count(), fresh) << begin << " to " << end;
        }
    }
}

TEST(CoveredTime, counts_no_moment_twice_when_it_forgets_the_oldest) {
    covered_time covered;
    clock::duration sum{};
    for (int i = 0; i < 100; ++i) {
        sum += covered.add(at(10 * i), at(10 * i + 5));
    }
    EXPECT_EQ(sum.count(), 500);
    sum += covered.add(at(0), at(1000));
    EXPECT_GT(sum.count(), 500);
    EXPECT_LE(sum.count(), 1000);
}

}  // namespace
}  // namespace pointsman::binding
