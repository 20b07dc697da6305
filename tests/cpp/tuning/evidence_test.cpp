// SPDX-License-Identifier: Apache-2.0
// Invented timings with and without outliers and changes, and what the evidence makes of them.
#include "pointsman/tuning/evidence.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using pointsman::evidence;

constexpr double usual_variance = 0.06;

/// Lognormal timings with a given mean.
class timings {
  public:
    timings(unsigned seed, double sigma) : random_{seed}, sigma_{sigma} {}
    double next(double mean) {
        return mean * std::exp(sigma_ * normal_(random_) - sigma_ * sigma_ / 2);
    }
    bool one_in(double count) { return std::bernoulli_distribution{1 / count}(random_); }

  private:
    std::mt19937_64 random_;
    std::normal_distribution<> normal_;
    double sigma_;
};

/// Evidence of `count` timings with mean 1,000.
evidence of_timings(timings& times, int count) {
    evidence known;
    for (int i = 0; i < count; ++i) {
        known.add(times.next(1'000), usual_variance);
    }
    return known;
}

/// How many timings with mean `mean` are added until the change is found, `most` at most.
int timings_until_change(evidence& known, timings& times, double mean, int most = 1'000) {
    int added = 1;
    while (!known.add(times.next(mean), usual_variance) && added < most) {
        ++added;
    }
    return added;
}

TEST(Evidence, of_one_timing_is_that_timing) {
    evidence known;
    EXPECT_TRUE(known.empty());
    EXPECT_FALSE(known.add(123, usual_variance));
    EXPECT_EQ(known.count(), 1U);
    EXPECT_DOUBLE_EQ(known.mean(), 123);
}

TEST(Evidence, has_the_mean_of_lognormal_timings) {
    for (const double sigma : {0.1, 0.5}) {
        timings times{1, sigma};
        EXPECT_NEAR(of_timings(times, 5'000).mean(), 1'000, 30) << "sigma " << sigma;
    }
}

TEST(Evidence, counts_a_heavy_tail) {
    timings times{2, 0.1};
    evidence known;
    for (int i = 0; i < 5'000; ++i) {
        known.add(times.next(times.one_in(10) ? 12'000 : 1'000), usual_variance);
    }
    EXPECT_NEAR(known.mean(), 2'100, 500);  // without the tail 1,000
}

TEST(Evidence, clips_a_single_outlier) {
    timings times{3, 0.1};
    auto known = of_timings(times, 100);
    const double before = known.mean();
    EXPECT_FALSE(known.add(400 * 1'000, usual_variance));
    EXPECT_NEAR(known.mean(), before, 0.02 * before);
    EXPECT_EQ(known.count(), 101U);
}

TEST(Evidence, finds_a_change_in_either_direction_within_a_few_timings) {
    for (const double factor : {0.5, 2.0, 10.0}) {
        timings times{4, 0.1};
        auto known = of_timings(times, 500);
        EXPECT_LE(timings_until_change(known, times, 1'000 * factor), 8) << "factor " << factor;
        EXPECT_LE(known.count(), 20U) << "older timings are dropped";
        for (int i = 0; i < 100; ++i) {
            known.add(times.next(1'000 * factor), usual_variance);
        }
        EXPECT_NEAR(known.mean(), 1'000 * factor, 100 * factor);
    }
}

TEST(Evidence, raises_few_false_alarms) {
    for (const double sigma : {0.1, 0.5}) {
        timings times{5, sigma};
        evidence known;
        int alarms = 0;
        for (int i = 0; i < 200'000; ++i) {
            alarms += known.add(times.next(1'000), usual_variance) ? 1 : 0;
        }
        EXPECT_LE(alarms, 12) << "sigma " << sigma;
    }
}

TEST(Evidence, is_less_uncertain_with_the_square_root_of_the_count) {
    timings times{9, 0.2};
    const auto few = of_timings(times, 100);
    const auto many = of_timings(times, 2'500);
    ASSERT_EQ(many.count(), 2'500U);
    EXPECT_NEAR(few.uncertainty(), 0.02, 0.005);
    EXPECT_NEAR(few.uncertainty() / many.uncertainty(), 5, 1);
}

TEST(Evidence, of_few_timings_has_the_usual_spread) {
    evidence alike;
    alike.add(1'000, usual_variance);
    EXPECT_NEAR(alike.spread(), std::sqrt(usual_variance), 0.01);
    for (int i = 0; i < 1'000; ++i) {
        alike.add(1'000, usual_variance);
    }
    EXPECT_LT(alike.spread(), 0.03);
}

TEST(Evidence, suspects_a_fall_before_it_is_proved) {
    timings times{7, 0.1};
    auto known = of_timings(times, 500);
    while (known.may_have_fallen()) {
        known.add(1'000, usual_variance);
    }
    EXPECT_FALSE(known.add(500, usual_variance));
    EXPECT_TRUE(known.may_have_fallen());
    EXPECT_LT(known.mean_if_fallen(), 1'000);
    EXPECT_GT(known.mean(), 900) << "it is not yet believed";
}

TEST(Evidence, of_higher_timings_suspects_no_fall) {
    timings times{8, 0.1};
    auto known = of_timings(times, 500);
    known.add(1'200, usual_variance);
    known.add(1'200, usual_variance);
    EXPECT_FALSE(known.may_have_fallen());
}

TEST(Evidence, is_still_right_after_millions_of_timings) {
    evidence known;
    for (int i = 0; i < 1'000'500; ++i) {
        known.add(i % 2 == 0 ? 900 : 1'100, usual_variance);
    }
    EXPECT_EQ(known.count(), 1'000'000U);
    EXPECT_NEAR(known.mean(), 1'000, 1);
    EXPECT_NEAR(known.spread(), 0.102, 0.005);
}

}  // namespace
