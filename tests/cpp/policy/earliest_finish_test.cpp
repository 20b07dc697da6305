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
    machine m{{900ms, 100ms, 500ms}};
    for (int i = 0; i < 6; ++i) {
        m.run(p, 1);
    }
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(m.run(p, 1).first, (std::vector{0, 1, 0}));
    }
}

TEST(EarliestFinish, shares_a_burst_so_that_all_resources_finish_together) {
    earliest_finish_policy<std::size_t> p{{0, 1}};
    machine m{{100ms, 400ms}};
    for (int i = 0; i < 30; ++i) {
        m.run(p, 1 + i % 20);
    }
    for (int i = 0; i < 20; ++i) {
        const auto [got, end] = m.run(p, 100);
        EXPECT_NEAR(got[0], 80, 2);
        EXPECT_LE(end, 8400ms) << "8000 ms is the optimum";
    }
}

TEST(EarliestFinish, learns_from_bursts_alone) {
    earliest_finish_policy<std::size_t> p{{0, 1}};
    machine m{{100ms, 400ms}};
    for (int i = 0; i < 10; ++i) {
        m.run(p, 100);
    }
    EXPECT_LE(m.run(p, 100).second, 8800ms) << "8000 ms is the optimum";
}

TEST(EarliestFinish, does_not_measure_a_resource_again_while_it_has_work) {
    earliest_finish_policy<std::size_t> p{{0, 1}};
    machine before{{500ms, 100ms}};
    for (int i = 0; i < 10; ++i) {
        before.run(p, 1);
    }
    const auto long_task = [](std::size_t) {};
    for (int i = 0; i < 6; ++i) {
        const auto taught = p.select(long_task);
        taught.report(pointsman::execution_info::task_time, taught.unwrap() == 0 ? 10s : 20s);
        taught.report(pointsman::execution_info::task_completion);
    }
    const auto held = p.select(long_task);
    ASSERT_EQ(held.unwrap(), 0);
    machine slower{{500ms, 200ms}};  // slow enough to be worth measuring the others
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
