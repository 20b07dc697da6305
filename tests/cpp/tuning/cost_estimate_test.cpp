// SPDX-License-Identifier: Apache-2.0
// How the robust estimate of a cost reacts to spikes and lasting changes.
#include "pointsman/tuning/cost_estimate.hpp"

#include <gtest/gtest.h>

namespace {

using pointsman::cost_estimate;
using std::chrono::nanoseconds;

TEST(CostEstimate, is_empty_before_the_first_timing) {
    EXPECT_TRUE(cost_estimate{}.empty());
    EXPECT_FALSE(cost_estimate{}.value());
}

TEST(CostEstimate, ignores_a_spike_of_400_times) {
    cost_estimate e;
    for (int i = 0; i < 200; ++i) {
        e.add(nanoseconds{i == 120 ? 400'000 : 1'000}, {});
        EXPECT_EQ(e.value(), nanoseconds{1'000}) << "after sample " << i;
    }
}

TEST(CostEstimate, follows_a_lasting_change_within_nine_timings) {
    cost_estimate e;
    for (int i = 0; i < 100; ++i) {
        e.add(nanoseconds{1'000}, {});
    }
    for (int i = 0; i < 9; ++i) {
        e.add(nanoseconds{5'000}, {});
    }
    EXPECT_EQ(e.value(), nanoseconds{5'000});
}

TEST(CostEstimate, prefers_exact_timings_of_an_idle_resource) {
    cost_estimate e;
    e.add(nanoseconds{9'000}, {.exact = true, .contended = true});
    e.add(nanoseconds{8'000}, {.exact = false, .contended = false});
    EXPECT_EQ(e.value(), nanoseconds{8'000});
    e.add(nanoseconds{1'000}, {.exact = true, .contended = false});
    EXPECT_EQ(e.value(), nanoseconds{1'000});
}

}  // namespace
