// SPDX-License-Identifier: Apache-2.0
// earliest_finish_policy on simulated machines: shares of bursts, new measurements, failures.
#include "pointsman/policy/earliest_finish_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <stdexcept>
#include <vector>

#include "pointsman/policy/driven_rule.hpp"
#include "pointsman/selection/select.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::earliest_finish_policy;
using loads = std::vector<std::size_t>;
using duration = std::chrono::nanoseconds;
namespace t = pointsman::test;

/// Resources that run one task after another in simulated time, which is much longer than the time of the test.
class machine {
  public:
    explicit machine(std::vector<duration> costs)
        : costs_{std::move(costs)}, free_at_(costs_.size()) {}

    /// Submits a burst of `count` tasks at time zero; returns how many each resource got, and when
    /// the last one ended.
    std::pair<std::vector<int>, duration> run(earliest_finish_policy<std::size_t>& p, int count) {
        using selection = decltype(p.select(task));
        std::vector<int> got(costs_.size());
        std::fill(free_at_.begin(), free_at_.end(), duration{});
        std::deque<std::pair<selection, duration>> running;
        for (int i = 0; i < count; ++i) {
            auto chosen = p.select(task);
            const auto r = chosen.unwrap();
            ++got[r];
            free_at_[r] += costs_[r];
            running.emplace_back(std::move(chosen), free_at_[r]);
        }
        std::ranges::stable_sort(running, {}, [](const auto& each) { return each.second; });
        for (const auto& [chosen, end] : running) {
            chosen.report(pointsman::execution_info::task_time, end);
            chosen.report(pointsman::execution_info::task_completion);
        }
        return {got, *std::ranges::max_element(free_at_)};
    }

    static void task(std::size_t) {}

  private:
    std::vector<duration> costs_;
    std::vector<duration> free_at_;
};

TEST(EarliestFinish, gives_one_task_at_a_time_to_the_fastest_resource) {
    earliest_finish_policy<std::size_t> p{{0, 1, 2}};
    machine m{{900s, 100s, 500s}};
    for (int i = 0; i < 6; ++i) {
        m.run(p, 1);
    }
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(m.run(p, 1).first, (std::vector{0, 1, 0}));
    }
}

TEST(EarliestFinish, shares_a_burst_so_that_all_resources_finish_together) {
    earliest_finish_policy<std::size_t> p{{0, 1}};
    machine m{{100s, 400s}};
    for (int i = 0; i < 30; ++i) {
        m.run(p, 1 + i % 20);
    }
    for (int i = 0; i < 20; ++i) {
        const auto [got, end] = m.run(p, 100);
        EXPECT_NEAR(got[0], 80, 2);
        EXPECT_LE(end, 8'400s) << "8,000 s is the optimum";
    }
}

TEST(EarliestFinish, learns_from_bursts_alone) {
    earliest_finish_policy<std::size_t> p{{0, 1}};
    machine m{{100s, 400s}};
    for (int i = 0; i < 10; ++i) {
        m.run(p, 100);
    }
    EXPECT_LE(m.run(p, 100).second, 8'800s) << "8,000 s is the optimum";
}

/// Runs a task that takes `times[i]` on resource `i`, one after the other; returns where.
std::size_t run_one(pointsman::driven_rule<pointsman::earliest_finish_rule>& rule,
                    const pointsman::task_key& key, const std::vector<duration>& times,
                    duration& now) {
    const auto chosen = rule.choose(key, now).value();
    now += times[chosen.index];
    rule.complete(chosen, times[chosen.index], now);
    return chosen.index;
}

TEST(EarliestFinish, tries_an_idle_resource_rather_than_wait_for_work_before_the_task) {
    pointsman::driven_rule<pointsman::earliest_finish_rule> rule{std::vector<pointsman::domain>(2)};
    const pointsman::task_key is_long{1, 0};
    const pointsman::task_key is_short{2, 0};
    duration now{1};
    for (int i = 0; i < 4; ++i) {
        run_one(rule, is_long, {20ms, 21ms}, now);
    }
    // The first run on one of the resources is so slow that further trials there have to wait.
    std::vector<int> got(2);
    for (int i = 0; i < 40; ++i) {
        ++got[run_one(rule, is_short, {100ns, got[1] == 0 ? 20us : 100ns}, now)];
    }
    ASSERT_EQ(got[1], 1);
    const std::size_t busy = rule.choose(is_long, now).value().index;
    ASSERT_EQ(busy, 0U);
    now += 1us;
    EXPECT_EQ(run_one(rule, is_short, {20ms, 100ns}, now), 1U);
    EXPECT_EQ(run_one(rule, is_short, {20ms, 100ns}, now), 1U) << "now it is known";
}

/// A burst of tasks of a callable that was never measured, by the rule alone.
class Burst : public testing::Test {
  protected:
    Burst() { rule.use_time(now); }
    bool starts_one() {
        const auto chosen = rule.choose(0, [] {});
        if (chosen) {
            outstanding.push_back(*chosen);
        }
        return chosen.has_value();
    }
    void complete_one() {
        const auto chosen = outstanding.front();
        ends[chosen.index] += 100ms;  // one after the other
        rule.learn(chosen, ends[chosen.index], true);
        rule.give_back(chosen);
        outstanding.pop_front();
    }
    std::size_t start_all() {
        std::size_t started = 0;
        while (starts_one()) {
            ++started;
        }
        return started;
    }

    pointsman::earliest_finish_rule rule{2};
    std::deque<pointsman::earliest_finish_rule::choice> outstanding;
    duration ends[2]{};
    pointsman::clock::duration now{};
};

TEST_F(Burst, waits_for_results_before_most_of_it_is_placed) {
    EXPECT_EQ(start_all(), 2U) << "as many as the resources run at a time";
    for (int i = 0; i < 4; ++i) {
        complete_one();
        EXPECT_EQ(start_all(), 2U)
            << "one in the place of the completed one, and one for the result";
    }
}

TEST_F(Burst, does_not_wait_once_much_is_known) {
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(starts_one());
        complete_one();
    }
    for (int i = 0; i < 100; ++i) {
        EXPECT_TRUE(starts_one());
    }
}

TEST_F(Burst, goes_ahead_if_nothing_completes) {
    start_all();
    now += 99ms;
    EXPECT_FALSE(starts_one());
    now += 1ms;
    EXPECT_TRUE(starts_one());
    EXPECT_TRUE(starts_one()) << "it does not wait again before something completes";
    complete_one();
    start_all();
    EXPECT_FALSE(starts_one());
}

TEST(EarliestFinish, submits_a_burst_whose_tasks_wait_for_its_last) {
    earliest_finish_policy p{{0, 1}};
    std::vector<t::calling_work> works(20);
    for (auto& work : works) {
        static_cast<void>(p.submit([&](int) { return work; }));
    }
    for (auto& work : works) {
        work.succeed();
    }
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(EarliestFinish, has_no_resource_for_a_burst_that_has_to_wait) {
    earliest_finish_policy p{{0}};
    std::vector<t::calling_work> works(3);
    const auto start = [&](std::size_t i) {
        return p.try_submit([&, i](int) { return works[i]; }).has_value();
    };
    EXPECT_TRUE(start(0));
    EXPECT_FALSE(start(1));
    works[0].succeed();
    EXPECT_TRUE(start(1));
    EXPECT_TRUE(start(2));
    works[1].succeed();
    works[2].succeed();
}

TEST(EarliestFinishRule, weighs_short_tasks_that_are_not_timed) {
    pointsman::earliest_finish_rule rule{2};
    const auto task = [] {};
    const auto thread = pointsman::detail::hazard_registry::thread();
    for (int i = 0; i < 3'000; ++i) {
        const auto chosen = *rule.choose(thread, task);
        rule.learn(chosen, duration{chosen.index == 0 ? 100 : 150}, true);
        rule.give_back(chosen);
    }
    std::vector<pointsman::earliest_finish_rule::choice> outstanding;
    int timed = 0;
    for (int i = 0; i < 50; ++i) {
        timed += outstanding.emplace_back(*rule.choose(thread, task)).timed() ? 1 : 0;
    }
    EXPECT_LE(timed, 3);
    EXPECT_NEAR(static_cast<double>(rule.loads()[0]), 30, 4) << "3 to 2, by speed";
    for (const auto& chosen : outstanding) {
        rule.give_back(chosen);
    }
    EXPECT_EQ(rule.loads(), (loads{0, 0}));
}

TEST(EarliestFinishRule, takes_a_device_for_one_task_and_the_cores_for_many) {
    // 16 cores take 16 s for a task each; the device 3 s for one after the other.
    pointsman::earliest_finish_rule rule{std::vector<pointsman::domain>{
        {.id = 1, .capacity = 16, .slots = 16, .threads_each = 1}, {.id = 2}}};
    const auto task = [] {};
    const auto run = [&] {
        const auto chosen = *rule.choose(0, task);
        rule.learn(chosen, chosen.index == 0 ? 16s : 3s, true);
        rule.give_back(chosen);
        return chosen.index;
    };
    for (int i = 0; i < 100; ++i) {
        run();
    }
    std::vector<pointsman::earliest_finish_rule::choice> outstanding;
    for (int i = 0; i < 64; ++i) {
        outstanding.push_back(*rule.choose(0, task));
    }
    EXPECT_EQ(outstanding.front().index, 1U);
    EXPECT_GE(rule.loads()[0], 40U);
    for (const auto& chosen : outstanding) {
        rule.give_back(chosen);
    }
}

TEST(EarliestFinish, does_not_measure_a_resource_again_while_it_has_work) {
    earliest_finish_policy<std::size_t> p{{0, 1}};
    machine before{{500s, 100s}};
    for (int i = 0; i < 10; ++i) {
        before.run(p, 1);
    }
    const auto long_task = [](std::size_t) {};
    for (int i = 0; i < 6; ++i) {
        const auto taught = p.select(long_task);
        taught.report(pointsman::execution_info::task_time,
                      taught.unwrap() == 0 ? 10'000s : 20'000s);
        taught.report(pointsman::execution_info::task_completion);
    }
    const auto held = p.select(long_task);
    ASSERT_EQ(held.unwrap(), 0);
    machine slower{{500s, 200s}};  // slow enough to be worth measuring the others
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(slower.run(p, 1).first, (std::vector{0, 1})) << "run " << i;
    }
    held.report(pointsman::execution_info::task_completion);
    int measured = 0;
    for (int i = 0; i < 1'000; ++i) {
        measured += slower.run(p, 1).first.front();
    }
    EXPECT_GE(measured, 1) << "now no work is in the way";
}

TEST(EarliestFinish, releases_backlog_on_every_path) {
    earliest_finish_policy p{{0, 1}};
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(p.submit([](int) { return t::ended_after(10us); }));
        EXPECT_THROW(p.submit([](int) -> int { throw std::runtime_error{"no"}; }),
                     std::runtime_error);
        t::calling_work failing;
        static_cast<void>(p.submit([&](int) { return failing; }));
        failing.fail();
        static_cast<void>(p.select([](int) {}));
    }
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(EarliestFinish, leaves_a_resource_that_fails_repeatedly) {
    earliest_finish_policy p{{0, 1}};
    const auto task = [](int r) {
        return r == 0 ? throw std::runtime_error{"broken"} : t::ended_after(100us);
    };
    int failures = 0;
    for (int i = 0; i < 200; ++i) {
        try {
            static_cast<void>(p.submit(task));
        } catch (const std::runtime_error&) {
            ++failures;
        }
    }
    EXPECT_LE(failures, 10);
}

TEST(EarliestFinish, refuses_a_negative_resample_time) {
    EXPECT_EQ(
        t::message_of<std::invalid_argument>(
            [] { earliest_finish_policy<int> p{std::vector{1}, duration{-3}}; }),
        "resample_time is -3e-09 s: pass 0 (never_resample) or a positive time, at most 9e9 s");
}

}  // namespace
