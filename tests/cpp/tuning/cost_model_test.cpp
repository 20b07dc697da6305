// SPDX-License-Identifier: Apache-2.0
// Invented costs, one task at a time, and where the cost model sends the next task.
#include "pointsman/tuning/cost_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace {

using pointsman::cost_model;
using pointsman::task_key;
using namespace std::chrono_literals;
using duration = cost_model::duration;

constexpr task_key sample{.callable = 1, .sizes = 10};
task_key of_size(std::uint64_t size) { return {.callable = 1, .sizes = size}; }

/// Runs tasks on idle resources, and counts where.
class runner {
  public:
    using cost_on = std::function<double(std::size_t resource)>;

    explicit runner(std::size_t size, pointsman::learning_settings settings = {})
        : runner{std::vector<pointsman::domain>(size), settings} {}
    explicit runner(const std::vector<pointsman::domain>& domains,
                    pointsman::learning_settings settings = {})
        : model{domains, settings}, waits_(domains.size()) {}

    std::size_t run_once(const task_key& key, const cost_on& cost) {
        auto& kind = model.find(key);
        const auto chosen = model.choose(kind, waits_);
        finish(key, chosen.index, cost(chosen.index));
        return chosen.index;
    }
    /// How many of `count` tasks each resource gets.
    std::vector<int> run(int count, const task_key& key, const cost_on& cost) {
        std::vector<int> runs(model.size());
        for (int i = 0; i < count; ++i) {
            ++runs[run_once(key, cost)];
        }
        return runs;
    }
    void finish(const task_key& key, std::size_t index, double cost, bool is_exact = true) {
        auto& kind = model.find(key);
        model.reserve(kind, index);
        model.learn(kind, index, duration{static_cast<duration::rep>(cost)}, is_exact);
        model.release(kind, index);
    }
    void fail(const task_key& key, std::size_t index) {
        auto& kind = model.find(key);
        model.reserve(kind, index);
        model.fail(kind, index);
        model.release(kind, index);
    }
    auto estimate(const task_key& key, std::size_t index) {
        return model.estimate(model.find(key), index);
    }

    cost_model model;

  private:
    std::vector<double> waits_;
};

/// Costs in microseconds by resource.
runner::cost_on costs(std::vector<double> by_resource) {
    return [=](std::size_t i) { return by_resource[i] * 1'000; };
}

TEST(CostModel, knows_nothing_at_first) {
    runner all{2};
    const std::vector<double> idle(2);
    const auto first = all.model.choose(all.model.find(sample), idle);
    EXPECT_TRUE(first.is_measurement);
    EXPECT_EQ(first.predicted, 0ns);
    EXPECT_FALSE(all.estimate(sample, 0));
}

TEST(CostModel, predicts_another_size_by_the_ratio_of_the_resources) {
    cost_model model{2};
    const auto key = [](std::uint64_t size) {
        return task_key{.callable = 1, .sizes = 257 + size};
    };
    for (int i = 0; i < 4; ++i) {
        model.learn(model.find(key(10)), 0, duration{1'000});
        model.learn(model.find(key(10)), 1, duration{3'000});
        model.learn(model.find(key(11)), 0, duration{2'000});
    }
    const auto& larger = model.find(key(11));
    EXPECT_FALSE(model.estimate(larger, 1));
    ASSERT_TRUE(model.prediction(larger, 1));
    EXPECT_NEAR(static_cast<double>(model.prediction(larger, 1)->count()), 6'000, 300);
    EXPECT_EQ(model.prediction(larger, 0), model.estimate(larger, 0));
    EXPECT_FALSE(model.prediction(model.find({.callable = 2, .sizes = 1}), 0));
}

TEST(CostModel, leaves_the_warm_up_out) {
    runner all{2};
    all.finish(sample, 0, 1e9);
    EXPECT_FALSE(all.estimate(sample, 0));
    all.finish(sample, 0, 5'000);
    EXPECT_EQ(all.estimate(sample, 0), 5us);
}

TEST(CostModel, warms_a_callable_up_once_for_all_sizes) {
    runner all{1};
    all.finish(of_size(10), 0, 1e9);
    all.finish(of_size(11), 0, 5'000);
    EXPECT_EQ(all.estimate(of_size(11), 0), 5us);
}

TEST(CostModel, begins_a_burst_on_each_resource) {
    runner all{3};
    auto& kind = all.model.find(sample);
    const std::vector<double> idle(3);
    std::vector<int> begun(3);
    for (int i = 0; i < 9; ++i) {
        const auto chosen = all.model.choose(kind, idle);
        all.model.reserve(kind, chosen.index);
        ++begun[chosen.index];
    }
    EXPECT_EQ(begun, (std::vector{3, 3, 3}));
}

TEST(CostModel, settles_on_the_cheapest) {
    for (std::size_t best = 0; best < 4; ++best) {
        runner all{4};
        std::vector<double> each{130, 170, 220, 300};
        each[best] = 100;
        all.run(100, sample, costs(each));
        EXPECT_GE(all.run(1'000, sample, costs(each))[best], 960) << "best " << best;
    }
}

TEST(CostModel, looks_at_the_others_for_a_small_share_of_the_work) {
    runner all{2};
    all.run(100, sample, costs({100, 200}));
    const auto runs = all.run(10'000, sample, costs({100, 200}));
    EXPECT_GE(runs[1], 10);
    EXPECT_LE(runs[1], 60);  // each loses as much as a task costs
}

TEST(CostModel, finds_one_that_has_become_cheaper) {
    runner all{2};
    all.run(1'000, sample, costs({100, 200}));
    all.run(1'000, sample, costs({100, 50}));
    EXPECT_GE(all.run(100, sample, costs({100, 50}))[1], 95);
}

TEST(CostModel, prefers_an_idle_resource_to_a_cheaper_one_that_is_late) {
    runner all{2};
    all.run(500, sample, costs({100, 150}));
    std::vector<double> waits{0, 0};
    EXPECT_EQ(all.model.choose(all.model.find(sample), waits).index, 0U);
    waits[0] = 90'000;
    EXPECT_EQ(all.model.choose(all.model.find(sample), waits).index, 1U);
}

TEST(CostModel, does_not_try_a_far_slower_resource_again_at_the_next_size) {
    runner all{2};
    for (int i = 0; i < 3; ++i) {
        all.finish(of_size(10), 0, 10'000);
        all.finish(of_size(10), 1, 1'000'000);
    }
    EXPECT_EQ(all.run(100, of_size(11), costs({20, 2'000}))[1], 0);
}

TEST(CostModel, carries_the_ratio_of_resources_to_the_next_size) {
    runner all{2};
    all.run(200, of_size(10), costs({10, 5}));
    // All that is known of this size is one timing on the more expensive resource.
    all.finish(of_size(12), 0, 40'000);
    EXPECT_EQ(all.run_once(of_size(12), costs({40, 20})), 1U);
    EXPECT_GE(all.run(100, of_size(12), costs({40, 20}))[1], 95);
}

TEST(CostModel, tries_a_resource_that_starts_slowly_once_tasks_are_much_larger) {
    // 1 us and 50 ms on resource 0, 5 ms whatever the size on resource 1.
    runner all{2};
    int on_1 = 0;
    for (int i = 0; i < 100; ++i) {
        all.run_once(of_size(4), costs({1, 5'000}));
        on_1 += all.run_once(of_size(20), costs({50'000, 5'000})) == 1 ? 1 : 0;
    }
    EXPECT_GE(on_1, 90);
    EXPECT_EQ(all.run(10, of_size(4), costs({1, 5'000}))[0], 10);
}

TEST(CostModel, expects_a_larger_size_to_take_no_less) {
    runner all{1};
    for (int i = 0; i < 3; ++i) {
        all.finish(of_size(10), 0, 8'000);
    }
    const std::vector<double> idle(1);
    EXPECT_LE(all.model.choose(all.model.find(of_size(9)), idle).predicted, 8us);
    EXPECT_GE(all.model.choose(all.model.find(of_size(14)), idle).predicted, 8us);
}

TEST(CostModel, predicts_no_time_that_is_too_long_for_its_type) {
    runner all{1};
    all.finish(of_size(1), 0, 1'000);
    all.finish(of_size(1), 0, 9e18);
    all.finish(of_size(1), 0, 9e18);
    const std::vector<double> idle(1);
    EXPECT_GT(all.model.choose(all.model.find(of_size(60)), idle).predicted, 1h);
}

TEST(CostModel, tries_a_failing_resource_ever_less_often) {
    runner all{2};
    all.run(100, sample, costs({100, 200}));
    int failures = 0;
    for (int i = 0; i < 1'000; ++i) {
        const std::vector<double> idle(2);
        if (all.model.choose(all.model.find(sample), idle).index == 0) {
            all.fail(sample, 0);
            ++failures;
        } else {
            all.finish(sample, 1, 200'000);
        }
    }
    EXPECT_GE(failures, 3);
    EXPECT_LE(failures, 12);  // each doubles the number of runs until the next
}

TEST(CostModel, forgets_failures_at_a_success) {
    runner all{2};
    all.run(100, sample, costs({100, 200}));
    for (int i = 0; i < 5; ++i) {
        all.fail(sample, 0);
    }
    EXPECT_EQ(all.run_once(sample, costs({100, 200})), 1U);
    all.finish(sample, 0, 100'000);
    EXPECT_EQ(all.run_once(sample, costs({100, 200})), 0U);
}

TEST(CostModel, takes_a_doubtful_first_timing_once_more) {
    runner all{1};
    all.finish(sample, 0, 10'000);
    all.finish(sample, 0, 1'000'000);
    EXPECT_FALSE(all.estimate(sample, 0)) << "a hundred times the warm-up";
    all.finish(sample, 0, 10'000);
    EXPECT_EQ(all.estimate(sample, 0), 10us);
}

TEST(CostModel, believes_a_high_first_timing_that_is_repeated) {
    runner all{1};
    all.finish(sample, 0, 10'000);
    all.finish(sample, 0, 1'000'000);
    all.finish(sample, 0, 1'000'000);
    EXPECT_EQ(all.estimate(sample, 0), 1ms);
}

TEST(CostModel, drops_upper_bounds_for_an_exact_time) {
    runner all{1};
    all.finish(sample, 0, 100'000);
    for (int i = 0; i < 20; ++i) {
        all.finish(sample, 0, 100'000, false);
    }
    EXPECT_EQ(all.estimate(sample, 0), 100us);
    all.finish(sample, 0, 30'000);
    EXPECT_EQ(all.estimate(sample, 0), 30us);
    all.finish(sample, 0, 100'000, false);
    EXPECT_EQ(all.estimate(sample, 0), 30us) << "an upper bound tells nothing more";
}

TEST(CostModel, goes_back_to_upper_bounds_when_exact_times_cease) {
    runner all{1};
    all.finish(sample, 0, 30'000);
    all.finish(sample, 0, 30'000);
    for (int i = 0; i < 20; ++i) {
        all.finish(sample, 0, 100'000, false);
    }
    EXPECT_EQ(all.estimate(sample, 0), 100us);
}

TEST(CostModel, tries_a_resource_whose_first_choice_was_dropped_unused) {
    runner all{2};
    auto& kind = all.model.find(sample);
    all.model.reserve(kind, 1);
    all.model.release(kind, 1);
    EXPECT_GE(all.run(100, sample, costs({100, 50}))[1], 80);
}

TEST(CostModel, evicts_the_kind_that_was_used_least_recently) {
    cost_model model{1, {}, 2};
    const auto learn = [&](const task_key& key) {
        auto& kind = model.find(key);
        for (int i = 0; i < 2; ++i) {
            model.reserve(kind, 0);
            model.learn(kind, 0, 10us);
            model.release(kind, 0);
        }
    };
    const auto knows = [&](std::uint64_t callable) {
        return model.estimate(model.find({callable, 0}), 0).has_value();
    };
    learn({1, 0});
    learn({2, 0});
    ASSERT_TRUE(knows(1));
    learn({3, 0});  // in the place of 2
    EXPECT_TRUE(knows(3));
    EXPECT_TRUE(knows(1));
    EXPECT_FALSE(knows(2));
}

TEST(CostModel, never_knows_more_kinds_than_its_capacity) {
    cost_model model{2, {}, 8};
    for (std::uint64_t other = 0; other < 1'000; ++other) {
        auto& kind = model.find({other, 0});
        model.reserve(kind, 1);
    }
    EXPECT_EQ(model.kinds(), 8U);
}

TEST(CostModel, keeps_a_kind_that_was_used_without_a_look_up) {
    cost_model model{1, {}, 2};
    const auto& kept = model.find({1, 0});
    const auto term = kept.term();
    static_cast<void>(model.find({2, 0}));
    model.find({1, 0}).touch();
    static_cast<void>(model.find({2, 0}));
    static_cast<void>(model.find({3, 0}));
    EXPECT_EQ(model.known(kept.number, term), &kept);
}

TEST(CostModel, knows_a_kind_by_its_number_until_it_is_evicted) {
    cost_model model{2, {}, 1};
    auto& kind = model.find({1, 0});
    const auto number = kind.number;
    const auto term = kind.term();
    model.reserve(kind, 1);
    EXPECT_EQ(model.known(number, term), &kind);
    auto& next = model.find({1, 5});  // of the same callable
    EXPECT_EQ(model.known(number, term), nullptr) << "a late report is ignored";
    EXPECT_EQ(next.callable->outstanding, 0U);
    EXPECT_EQ(next.callable->resources[1].outstanding, 0U);
}

TEST(CostModel, forgets_after_the_resample_time) {
    runner all{1, 1s};
    all.finish(sample, 0, 10'000);
    all.finish(sample, 0, 10'000);
    auto& kind = all.model.find(sample);
    EXPECT_EQ(all.model.forget_old(kind, 5s), 6s) << "the age counts from here";
    EXPECT_EQ(all.model.forget_old(kind, 5'999ms), 6s);
    EXPECT_TRUE(all.estimate(sample, 0));
    EXPECT_EQ(all.model.forget_old(kind, 6s), 7s);
    EXPECT_FALSE(all.estimate(sample, 0));
}

TEST(CostModel, never_forgets_without_a_resample_time) {
    runner all{1};
    all.finish(sample, 0, 10'000);
    all.finish(sample, 0, 10'000);
    EXPECT_EQ(all.model.forget_old(all.model.find(sample), 1'000h), duration::max());
    EXPECT_TRUE(all.estimate(sample, 0));
}

TEST(CostModel, asks_for_every_task_of_ten_microseconds_and_few_of_shorter_ones) {
    for (const auto& [cost, period] :
         {std::pair{10.0, 1U}, {5.0, 8U}, {1.0, 40U}, {0.05, 800U}, {0.001, 1'024U}}) {
        runner all{2};
        all.run(100, sample, costs({cost, 2 * cost}));
        auto settled = all.model.find(sample).settled();
        for (int i = 0; i < 10 && settled.period == 0; ++i) {  // something was measured again
            all.run(1, sample, costs({cost, 2 * cost}));
            settled = all.model.find(sample).settled();
        }
        EXPECT_EQ(settled.period, period) << cost << " us";
        EXPECT_EQ(settled.index, 0U);
        EXPECT_EQ(all.model.find(sample).term(), settled.term);
    }
}

TEST(CostModel, asks_again_at_once_after_a_change) {
    runner all{2};
    all.run(1'000, sample, costs({1, 2}));
    ASSERT_GT(all.model.find(sample).settled().period, 1U);
    for (int i = 0; i < 10 && all.model.find(sample).settled().period > 0; ++i) {
        all.finish(sample, 0, 50'000);
    }
    EXPECT_EQ(all.model.find(sample).settled().period, 0U);
}

TEST(CostModel, counts_the_time_that_a_part_of_the_hardware_takes_alone) {
    // Each task of resource 0 uses a quarter of its hardware.
    runner all{std::vector<pointsman::domain>{{.capacity = 4, .slots = 4}, {}}};
    for (int i = 0; i < 50; ++i) {
        all.finish(sample, 0, 10'000);
        all.finish(sample, 1, 20'000);
    }
    EXPECT_EQ(all.estimate(sample, 0), 40us);
    auto& kind = all.model.find(sample);
    EXPECT_EQ(all.model.choose(kind, std::vector{0.0, 0.0}).index, 1U) << "it ends first alone";
    EXPECT_EQ(all.model.choose(kind, std::vector{90e3, 90e3}).index, 0U) << "behind other work";
}

TEST(CostModel, takes_all_of_the_hardware_for_one_task_and_the_cheapest_way_for_many) {
    // Both use the same four cores: resource 0 one of them for each task, resource 1 all.
    runner all{
        std::vector<pointsman::domain>{{.id = 1, .capacity = 4, .slots = 4, .threads_each = 1},
                                       {.id = 1, .capacity = 4, .slots = 1, .threads_each = 4}}};
    for (int i = 0; i < 50; ++i) {
        all.finish(sample, 0, 10'000);
        all.finish(sample, 1, 20'000);
    }
    auto& kind = all.model.find(sample);
    const std::vector<double> idle(1);
    EXPECT_EQ(all.model.choose(kind, idle, 0).index, 1U) << "20 us, not 40";
    EXPECT_EQ(all.model.choose(kind, idle, 8).index, 0U)
        << "20 us of the cores would delay 8 tasks";
}

TEST(CostModel, measures_less_often_what_takes_hardware_from_others) {
    // Alone a task takes 20 us on the first and 24 us on the second, which needs all of the cores for it.
    const auto measured = [](std::size_t outstanding) {
        runner all{std::vector<pointsman::domain>{
            {.id = 1, .capacity = 2, .slots = 2, .threads_each = 1},
            {.id = 1, .capacity = 2, .slots = 1, .threads_each = 2}}};
        int runs = 0;
        for (int i = 0; i < 10'000; ++i) {
            const auto chosen = all.model.choose(all.model.find(sample), {}, outstanding);
            all.finish(sample, chosen.index, chosen.index == 0 ? 10'000 : 24'000);
            runs += chosen.index == 1 ? 1 : 0;
        }
        return runs;
    };
    EXPECT_GT(measured(0), 100);
    EXPECT_GT(measured(8), 5) << "but it is still looked at";
    EXPECT_LT(measured(8), measured(0) / 4);
}

TEST(CostModel, sends_no_task_where_it_ends_more_than_twice_as_late) {
    runner all{2};
    for (int i = 0; i < 50; ++i) {
        all.finish(sample, 0, 10'000);
        all.finish(sample, 1, 100'000);
    }
    auto& kind = all.model.find(sample);
    EXPECT_EQ(all.model.choose(kind, std::vector{35e3, 0.0}).index, 0U) << "45 us, not 100";
    EXPECT_EQ(all.model.choose(kind, std::vector{60e3, 0.0}).index, 1U) << "the device is idle";
}

TEST(CostModel, leaves_a_run_after_another_resource_out_where_runs_come_in_a_row) {
    pointsman::learning_settings in_a_row;
    in_a_row.runs_in_a_row = 4;
    runner all{2, in_a_row};
    std::size_t last = 0;
    const auto run_once = [&] {
        last = all.run_once(
            sample, [&](std::size_t i) { return (i == 0 ? 100e3 : 90e3) * (i == last ? 1 : 3); });
        return last;
    };
    int on_1 = 0;
    for (int i = 0; i < 3'000; ++i) {
        const bool counts = i >= 1'000;
        on_1 += run_once() == 1 && counts ? 1 : 0;
    }
    EXPECT_GE(on_1, 1'900) << "it is better in a row, although slower after the other";
}

TEST(CostModel, is_not_misled_by_one_run_of_400_times) {
    for (int spike = 0; spike < 204; ++spike) {
        runner all{2};
        int on_1 = 0;
        for (int i = 0; i < 204; ++i) {
            const double factor = i == spike ? 400 : 1;
            on_1 += all.run_once(sample, [&](std::size_t r) {
                return (r == 0 ? 190e3 : 380e3) * factor;
            }) == 1;
        }
        EXPECT_LE(on_1, 12) << "spike at " << spike;
    }
}

TEST(CostModel, loses_little_on_random_resources) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::mt19937_64 random{seed};
        std::uniform_real_distribution<> means{100e3, 400e3};
        std::lognormal_distribution<> noise{0, 0.1};
        std::vector<double> each(4);
        std::ranges::generate(each, [&] { return means(random); });
        runner all{4};
        double taken = 0;
        for (int i = 0; i < 2'000; ++i) {
            taken += each[all.run_once(sample, [&](auto r) { return each[r] * noise(random); })];
        }
        EXPECT_LT(taken / (2'000 * std::ranges::min(each)), 1.08) << "seed " << seed;
    }
}

}  // namespace
