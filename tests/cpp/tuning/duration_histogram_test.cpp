// SPDX-License-Identifier: Apache-2.0
// Quantiles of counted durations are within 1.6 % of the exact ones.
#include "pointsman/base/duration_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using pointsman::detail::duration_histogram;
using std::chrono::nanoseconds;

TEST(DurationHistogram, is_empty_at_first) { EXPECT_FALSE(duration_histogram{}.quantile(0.5)); }

TEST(DurationHistogram, has_short_durations_exactly) {
    for (const int time : {0, 1, 17, 31, 63}) {
        duration_histogram times;
        times.add(nanoseconds{time});
        EXPECT_EQ(times.quantile(0.5), nanoseconds{time});
    }
}

TEST(DurationHistogram, counts_a_negative_duration_as_zero) {
    duration_histogram times;
    times.add(nanoseconds{-5});
    EXPECT_EQ(times.quantile(1), nanoseconds{0});
}

TEST(DurationHistogram, takes_the_longest_duration) {
    duration_histogram times;
    times.add(nanoseconds::max());
    EXPECT_NEAR(static_cast<double>(times.quantile(1).value().count()), 9.22e18, 0.15e18);
}

TEST(DurationHistogram, adds_a_duration_several_times) {
    duration_histogram times;
    times.add(nanoseconds{5});
    times.add(nanoseconds{60}, 3);
    EXPECT_EQ(times.quantile(0.25), nanoseconds{5});
    EXPECT_EQ(times.quantile(0.26), nanoseconds{60});
}

TEST(DurationHistogram, has_quantiles_near_the_exact_ones) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    std::lognormal_distribution<double> draw{14, 3};
    std::vector<nanoseconds> all(10'001);
    duration_histogram times;
    for (auto& each : all) {
        each = nanoseconds{static_cast<std::int64_t>(draw(random))};
        times.add(each);
    }
    std::ranges::sort(all);
    for (const double quantile : {0.0001, 0.05, 0.5, 0.95, 1.0}) {
        const auto rank = std::max<std::size_t>(
            1, static_cast<std::size_t>(std::ceil(quantile * static_cast<double>(all.size()))));
        const auto exact = static_cast<double>(all[rank - 1].count());
        EXPECT_NEAR(static_cast<double>(times.quantile(quantile).value().count()), exact,
                    0.016 * exact + 1);
    }
}

}  // namespace
