// SPDX-License-Identifier: Apache-2.0
// The tuner under noise, spikes, drift and contention.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "pointsman/tuning/tuner.hpp"

namespace {

using pointsman::tuner;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// Runs one task to completion, taking `cost(index)`.
template <class Cost>
std::size_t run_task(tuner& t, Cost cost, pointsman::sample_quality quality = {}) {
    const auto index = t.choose({});
    t.add(index, cost(index), quality, {});
    t.release(index);
    return index;
}

/// A cost within a tenth of `middle`, uniformly distributed.
nanoseconds about(double middle, std::mt19937& random) {
    std::uniform_real_distribution<double> noise{0.9, 1.1};
    return nanoseconds{static_cast<nanoseconds::rep>(middle * noise(random))};
}

/// The values with which one test runs.
class TunerNoise : public ::testing::TestWithParam<unsigned> {
  protected:
    std::mt19937 random{GetParam()};
};

TEST_P(TunerNoise, does_not_flip_between_resources_within_three_percent) {
    tuner t{2};
    const auto cost = [&](std::size_t r) { return about(r == 0 ? 100'000 : 103'000, random); };
    while (!t.best()) {
        run_task(t, cost);
    }
    int flips = 0;
    for (int i = 0; i < 10'000; ++i) {
        const auto before = *t.best();
        run_task(t, cost);
        flips += *t.best() == before ? 0 : 1;
    }
    EXPECT_LE(flips, 2);
}

TEST_P(TunerNoise, does_not_hide_that_the_resource_in_use_is_five_times_slower) {
    for (const double middle : {10'000.0, 100'000.0, 1e7}) {
        tuner t{4};
        double slower = 1;
        const auto cost = [&](std::size_t r) {
            return about(r == 2 ? middle * slower : 2 * middle, random);
        };
        for (int i = 0; i < 1'000; ++i) {
            run_task(t, cost);
        }
        ASSERT_EQ(t.best(), 2U);
        slower = 5;
        int until_left = 0;
        while (t.best() == 2U && until_left <= 20) {
            run_task(t, cost);
            ++until_left;
        }
        EXPECT_LE(until_left, 20) << "tasks of " << middle << " ns";
    }
}

TEST_P(TunerNoise, does_not_hide_that_another_resource_is_better_since_the_drift) {
    tuner t{3};
    double costs[] = {10'000, 100'000, 100'000};
    const auto cost = [&](std::size_t r) { return about(costs[r], random); };
    for (int i = 0; i < 1'000; ++i) {
        run_task(t, cost);
    }
    ASSERT_EQ(t.best(), 0U);
    costs[0] = 50'000;
    costs[1] = 20'000;
    for (int i = 0; i < 40; ++i) {
        run_task(t, cost);
    }
    EXPECT_EQ(t.best(), 1U);
}

INSTANTIATE_TEST_SUITE_P(, TunerNoise, ::testing::Range(1U, 6U),
                         [](const auto& p) { return "seed_" + std::to_string(p.param); });

TEST(TunerSpike, of_400_times_among_200_samples_changes_nothing) {
    const auto normal = [](std::size_t r) { return microseconds{r == 0 ? 190 : 200}; };
    for (int spike = 0; spike < 204; ++spike) {
        tuner t{2};
        int on_1 = 0;
        for (int i = 0; i < 204; ++i) {
            on_1 +=
                run_task(t, [&](std::size_t r) { return normal(r) * (i == spike ? 400 : 1); }) == 1
                    ? 1
                    : 0;
        }
        EXPECT_LE(on_1, 3) << "spike at " << spike;
        EXPECT_EQ(t.estimate(0), normal(0)) << "spike at " << spike;
    }
}

TEST(TunerTrial, finds_the_better_of_two_although_a_spike_hid_it) {
    const auto cost = [](std::size_t r) { return microseconds{r == 0 ? 100 : 200}; };
    for (const std::uint32_t trial_runs : {0U, 4U}) {
        tuner t{2, {nanoseconds{}, trial_runs}};
        for (int i = 0; i < 4; ++i) {
            run_task(t, [&](std::size_t r) { return r == 0 ? microseconds{900} : cost(r); });
        }
        ASSERT_EQ(t.best(), 1U);
        for (int i = 0; i < 2'000; ++i) {
            run_task(t, cost);
        }
        EXPECT_EQ(t.best(), trial_runs == 0 ? 1U : 0U);
    }
}

TEST(TunerTrial, takes_the_lower_estimate_however_small_the_difference) {
    tuner t{2, {nanoseconds{}, 4}};
    for (int i = 0; i < 4; ++i) {
        run_task(t, [](std::size_t r) { return microseconds{r == 0 ? 100 : 120}; });
    }
    ASSERT_EQ(t.best(), 0U);
    int on_1 = 0;
    for (int i = 0; i < 2'000; ++i) {
        on_1 += run_task(t, [](std::size_t r) { return microseconds{r == 0 ? 100 : 97}; }) == 1;
    }
    EXPECT_EQ(t.best(), 1U);
    EXPECT_GE(on_1, 1'900);
}

/// The cost of resource 1 depends on how often it just ran, as if its own threads were waking up.
class waking {
  public:
    microseconds operator()(std::size_t r) {
        in_a_row_ = r == 1 ? in_a_row_ + 1 : 0;
        return microseconds{r == 0 ? 100 : in_a_row_ <= 3 ? 120 : 50};
    }

  private:
    int in_a_row_ = 0;
};

TEST(TunerTrial, finds_a_resource_that_is_better_after_a_few_runs_in_a_row) {
    for (const std::uint32_t trial_runs : {0U, 16U}) {
        tuner t{2, {nanoseconds{}, trial_runs}};
        waking cost;
        for (int i = 0; i < 1'000; ++i) {
            run_task(t, [&](std::size_t r) { return cost(r); });
        }
        EXPECT_EQ(t.best(), trial_runs == 0 ? 0U : 1U);
    }
}

TEST(TunerTrial, times_runs_in_a_row_even_for_tasks_that_are_seldom_timed) {
    tuner t{2, {nanoseconds{}, 16}};
    const auto cost = [](std::size_t r) { return nanoseconds{r == 0 ? 100 : 110}; };
    int in_a_row = 0;
    int longest = 0;
    for (int i = 0; i < 10'000; ++i) {
        in_a_row = run_task(t, cost) == 1 ? in_a_row + 1 : 0;
        longest = std::max(longest, in_a_row);
        if (in_a_row > 1 && in_a_row < 15) {
            EXPECT_EQ(t.sampling_period(), 1U) << "after " << in_a_row << " runs";
        }
    }
    EXPECT_GE(longest, 15);
    EXPECT_GT(t.sampling_period(), 1U) << "between trials";
}

TEST(TunerTrial, comes_again_so_that_no_resource_is_forgotten) {
    tuner t{2, {nanoseconds{}, 16}};
    for (int i = 0; i < 1'000; ++i) {
        run_task(t, [](std::size_t r) { return microseconds{r == 0 ? 100 : 110}; });
    }
    ASSERT_EQ(t.best(), 0U);
    for (int i = 0; i < 2'000; ++i) {
        run_task(t, [](std::size_t r) { return microseconds{r == 0 ? 100 : 50}; });
    }
    EXPECT_EQ(t.best(), 1U);
}

TEST(TunerTrial, eventually_comes_once_per_second_of_work) {
    tuner t{2, {nanoseconds{}, 16}};
    const auto cost = [](std::size_t) { return microseconds{1'000}; };
    for (int i = 0; i < 10'000; ++i) {
        run_task(t, cost);
    }
    int runs_of_the_other = 0;
    for (int i = 0; i < 10'000; ++i) {
        runs_of_the_other += run_task(t, cost) == *t.best() ? 0 : 1;
    }
    EXPECT_EQ(runs_of_the_other, 10 * 16);
}

TEST(TunerTrial, costs_at_most_a_fiftieth) {
    tuner t{3, {nanoseconds{}, 16}};
    nanoseconds worked{};
    nanoseconds lost{};
    for (int i = 0; i < 50'000; ++i) {
        const auto index =
            run_task(t, [](std::size_t r) { return microseconds{r == 0 ? 100 : 1'500}; });
        if (i >= 6) {
            worked += microseconds{index == 0 ? 100 : 1'500};
            lost += microseconds{index == 0 ? 0 : 1'400};
        }
    }
    EXPECT_GT(lost, nanoseconds{});
    EXPECT_LE(lost, worked / 50);
}

TEST(TunerContention, reduces_the_weight_of_timings) {
    tuner t{2};
    const auto clean = [](std::size_t r) { return microseconds{r == 0 ? 10 : 50}; };
    for (int i = 0; i < 20; ++i) {
        run_task(t, clean);
    }
    for (int i = 0; i < 8; ++i) {
        run_task(t, [](std::size_t) { return microseconds{900}; },
                 {.exact = true, .contended = true});
    }
    EXPECT_EQ(t.best(), 0U);
    EXPECT_EQ(t.estimate(0), microseconds{10});
    run_task(t, clean);
    EXPECT_EQ(t.estimate(0), microseconds{10});
}

}  // namespace
