// SPDX-License-Identifier: Apache-2.0
// The tuner's choices, given invented times.
#include "pointsman/tuning/tuner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace {

using pointsman::tuner;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Runs one task to completion, taking `cost(index)`.
template <class Cost>
std::size_t run_one(tuner& t, Cost cost, nanoseconds now = {}) {
    const auto index = t.choose(now);
    t.add(index, cost(index), {}, now);
    t.release(index);
    return index;
}

template <class Cost>
std::map<std::size_t, int> run(tuner& t, int tasks, Cost cost) {
    std::map<std::size_t, int> chosen;
    for (int i = 0; i < tasks; ++i) {
        ++chosen[run_one(t, cost)];
    }
    return chosen;
}

TEST(Tuner, takes_each_resource_twice_in_rotation_and_then_the_best) {
    tuner t{3};
    auto cost = [](std::size_t i) { return microseconds{i == 1 ? 5 : 50}; };
    std::vector<std::size_t> order;
    for (int i = 0; i < 8; ++i) {
        order.push_back(run_one(t, cost));
    }
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 1, 1}));
}

TEST(Tuner, keeps_the_first_run_out_of_every_statistic) {
    tuner t{2};
    int runs_of_0 = 0;
    auto cost = [&](std::size_t i) {
        if (i == 0) {
            return runs_of_0++ == 0 ? nanoseconds{milliseconds{1}} : nanoseconds{milliseconds{30}};
        }
        return nanoseconds{milliseconds{5}};
    };
    auto chosen = run(t, 50, cost);
    EXPECT_EQ(chosen[0], 2);
    EXPECT_EQ(t.best(), 1U);
}

TEST(Tuner, distinguishes_microseconds) {
    tuner t{2};
    auto chosen =
        run(t, 100, [](std::size_t i) { return i == 0 ? microseconds{700} : microseconds{1}; });
    EXPECT_EQ(chosen[0], 2);
}

TEST(Tuner, leaves_a_resource_that_has_become_slow) {
    tuner t{2};
    run(t, 20, [](std::size_t i) { return milliseconds{i == 0 ? 2 : 4}; });
    ASSERT_EQ(t.best(), 0U);
    auto chosen = run(t, 84, [](std::size_t i) { return milliseconds{i == 0 ? 40 : 4}; });
    EXPECT_LE(chosen[0], 9);
}

TEST(Tuner, keeps_runs_that_began_cold_out_of_every_statistic) {
    tuner t{2};  // 0 is slow when cold, then fast
    std::vector<std::size_t> burst;
    for (int i = 0; i < 6; ++i) {
        burst.push_back(t.choose({}));
    }
    for (const auto index : burst) {
        t.add(index, milliseconds{index == 0 ? 200 : 20}, {}, {});
        t.release(index);
    }
    EXPECT_FALSE(t.best());
    auto chosen = run(t, 50, [](std::size_t i) { return milliseconds{i == 0 ? 1 : 20}; });
    EXPECT_EQ(t.best(), 0U);
    EXPECT_GE(chosen[0], 48);
}

TEST(Tuner, leaves_a_resource_that_has_become_slow_under_overlapping_work) {
    tuner t{2};
    run(t, 20, [](std::size_t i) { return milliseconds{i == 0 ? 2 : 6}; });
    ASSERT_EQ(t.best(), 0U);
    int on_0 = 0;
    for (int i = 0; i < 60; ++i) {
        const auto index = t.choose({});
        on_0 += index == 0 ? 1 : 0;
        t.add(index, milliseconds{index == 0 ? 40 : 6}, {.exact = true, .contended = true}, {});
        t.release(index);
    }
    EXPECT_LE(on_0, 10);
}

TEST(Tuner, does_not_flip_between_near_ties) {
    tuner t{2};
    int n = 0;
    run(t, 4, [](std::size_t) { return microseconds{100}; });
    const auto first = *t.best();
    auto chosen = run(t, 1000, [&](std::size_t) { return microseconds{96 + (n++ * 7) % 9}; });
    EXPECT_EQ(chosen[first], 1000);
}

TEST(Tuner, leaves_a_resource_five_times_slower_within_twenty_tasks) {
    tuner t{2};
    run(t, 200, [](std::size_t i) { return microseconds{i == 0 ? 10 : 20}; });
    ASSERT_EQ(t.best(), 0U);
    run(t, 20, [](std::size_t i) { return microseconds{i == 0 ? 50 : 20}; });
    EXPECT_EQ(t.best(), 1U);
}

TEST(Tuner, measures_the_others_again_when_the_resource_in_use_has_drifted) {
    tuner t{3};
    run(t, 1000, [](std::size_t i) { return microseconds{i == 0 ? 10 : 100}; });
    ASSERT_EQ(t.best(), 0U);
    auto chosen = run(t, 40, [](std::size_t i) {
        return microseconds{i == 0 ? 50 : i == 1 ? 20 : 100};
    });
    EXPECT_EQ(t.best(), 1U);
    EXPECT_EQ(chosen[2], 1);
}

TEST(Tuner, treats_one_surprising_run_of_another_resource_as_a_spike) {
    tuner t{2};
    run(t, 1000, [](std::size_t i) { return microseconds{i == 0 ? 10 : 100}; });
    int runs_of_1 = 0;
    auto chosen = run(t, 500, [&](std::size_t i) {
        return microseconds{i == 0 ? 50 : runs_of_1++ == 0 ? 1 : 100};
    });
    EXPECT_EQ(t.best(), 0U);
    EXPECT_LE(chosen[1], 5);
}

TEST(Tuner, does_not_explore_because_of_noise) {
    tuner t{2};
    std::mt19937 random{20261121};
    std::uniform_real_distribution<double> noise{0.8, 1.2};
    auto chosen = run(t, 10'000, [&](std::size_t i) {
        return nanoseconds{static_cast<int>((i == 0 ? 10'000 : 30'000) * noise(random))};
    });
    EXPECT_EQ(chosen[1], 2);
}

TEST(Tuner, loses_at_most_a_fiftieth_to_exploration_whatever_drifts) {
    tuner t{4};
    std::mt19937 random{20261121};
    std::uniform_int_distribution<int> any_cost{1, 1000};
    std::vector<int> costs{1, 500, 1000, 2000};
    run(t, 8, [&](std::size_t i) { return microseconds{costs[i]}; });
    nanoseconds worked{};
    nanoseconds lost{};
    for (int n = 0; n < 100'000; ++n) {
        if (n % 500 == 0) {
            costs[*t.best()] = any_cost(random);
        }
        const auto best = *t.best();
        const auto index = run_one(t, [&](std::size_t i) { return microseconds{costs[i]}; });
        worked += microseconds{costs[index]};
        lost += std::max(nanoseconds{},
                         nanoseconds{microseconds{index == best ? 0 : costs[index] - costs[best]}});
    }
    EXPECT_GT(lost, nanoseconds{});
    EXPECT_LE(lost, worked / 50);
}

TEST(Tuner, measures_again_after_the_resample_time) {
    tuner t{2, milliseconds{10}};
    auto fast_0 = [](std::size_t i) { return microseconds{i == 0 ? 10 : 50}; };
    auto fast_1 = [](std::size_t i) { return microseconds{i == 0 ? 50 : 10}; };
    for (int i = 0; i < 10; ++i) {
        run_one(t, fast_0, milliseconds{1});
    }
    EXPECT_EQ(t.best(), 0U);
    for (int i = 0; i < 4; ++i) {
        run_one(t, fast_1, milliseconds{12});
    }
    EXPECT_EQ(t.best(), 1U);
}

TEST(Tuner, never_measures_again_without_a_resample_time) {
    tuner t{2};
    auto cost = [](std::size_t i) { return microseconds{i == 0 ? 10 : 50}; };
    std::map<std::size_t, int> chosen;
    for (int i = 0; i < 1000; ++i) {
        ++chosen[run_one(t, cost, std::chrono::hours{i})];
    }
    EXPECT_EQ(chosen[1], 2);
}

TEST(Tuner, counts_results_not_attempts) {
    tuner t{2};
    const auto first = t.choose({});
    t.fail(first);
    t.release(first);
    auto cost = [](std::size_t i) { return microseconds{i == 0 ? 10 : 80}; };
    auto chosen = run(t, 100, cost);
    EXPECT_EQ(t.best(), 0U) << "the faster resource lost by one failure";
    EXPECT_GE(chosen[0], 90);
}

TEST(Tuner, spreads_a_burst_before_any_completion) {
    tuner t{4};
    std::map<std::size_t, int> chosen;
    for (int i = 0; i < 40; ++i) {
        ++chosen[t.choose({})];
    }
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(chosen[i], 10);
    }
}

TEST(Tuner, tries_a_failing_resource_ever_less_often) {
    tuner t{2};
    int failures = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto index = t.choose({});
        if (index == 1) {
            ++failures;
            t.fail(index);
        } else {
            t.add(index, microseconds{10}, {}, {});
        }
        t.release(index);
    }
    EXPECT_EQ(t.best(), 0U);
    EXPECT_GE(failures, 5);
    EXPECT_LE(failures, 15);
}

TEST(Tuner, moves_away_from_a_best_resource_that_begins_to_fail) {
    tuner t{2};
    run(t, 10, [](std::size_t i) { return microseconds{i == 0 ? 10 : 50}; });
    ASSERT_EQ(t.best(), 0U);
    for (int i = 0; i < 3; ++i) {
        t.fail(t.choose({}));
        t.release(0);
    }
    EXPECT_EQ(t.best(), 1U);
}

TEST(Tuner, works_when_every_resource_fails) {
    tuner t{3};
    std::map<std::size_t, int> chosen;
    for (int i = 0; i < 300; ++i) {
        const auto index = t.choose({});
        ++chosen[index];
        t.fail(index);
        t.release(index);
    }
    EXPECT_FALSE(t.best());
    EXPECT_EQ(chosen.size(), 3U);
}

}  // namespace
