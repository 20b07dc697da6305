// SPDX-License-Identifier: Apache-2.0
// The statistics of an observed policy: counts, times and estimates by resource, and their table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/on_threads.hpp"

namespace {

namespace pm = pointsman;
using namespace std::chrono_literals;
using pm::test::calling_work;
using pm::test::ended_after;
using testing::HasSubstr;

template <class Kind>
struct ObservedStatistics : ::testing::Test {
    pm::observed_policy<typename Kind::template policy<int>> observed{{0, 1, 2}};

    /// The sum over the resources.
    [[nodiscard]] std::uint64_t sum(std::uint64_t pm::resource_statistics::* member) const {
        const auto all = observed.statistics().resources;
        return std::accumulate(
            all.begin(), all.end(), std::uint64_t{0},
            [&](std::uint64_t before, const auto& each) { return before + each.*member; });
    }
};
TYPED_TEST_SUITE(ObservedStatistics, pm::test::combined_policy_kinds, pm::test::kind_names);

TYPED_TEST(ObservedStatistics, count_what_succeeded_on_the_resource_that_was_used) {
    std::vector<std::uint64_t> used(3);
    for (int i = 0; i < 30; ++i) {
        this->observed.submit([&](int resource) { ++used[static_cast<std::size_t>(resource)]; });
    }
    const auto all = this->observed.statistics().resources;
    for (std::size_t i = 0; i < used.size(); ++i) {
        EXPECT_EQ(all[i].completed, used[i]);
        EXPECT_EQ(all[i].submissions(), used[i]);
        EXPECT_EQ(all[i].mean.has_value(), used[i] > 0);
    }
}

TYPED_TEST(ObservedStatistics, count_tasks_that_throw_and_work_that_fails_as_failed) {
    EXPECT_THROW(this->observed.submit([](int) { throw std::runtime_error{"no"}; }),
                 std::runtime_error);
    calling_work work;
    auto submission = this->observed.submit([&](int) { return work; });
    work.fail();
    EXPECT_THROW(submission.wait(), std::runtime_error);
    EXPECT_EQ(this->sum(&pm::resource_statistics::failed), 2U);
    EXPECT_EQ(this->sum(&pm::resource_statistics::completed), 0U);
    EXPECT_EQ(this->sum(&pm::resource_statistics::outstanding), 0U);
}

TYPED_TEST(ObservedStatistics, count_pending_work_as_outstanding) {
    calling_work work;
    auto submission = this->observed.submit([&](int) { return work; });
    EXPECT_EQ(this->sum(&pm::resource_statistics::outstanding), 1U);
    work.succeed();
    submission.wait();
    EXPECT_EQ(this->sum(&pm::resource_statistics::outstanding), 0U);
    EXPECT_EQ(this->sum(&pm::resource_statistics::completed), 1U);
}

TYPED_TEST(ObservedStatistics, forget_a_selection_that_is_dropped) {
    {
        const auto unused = this->observed.select([](int) {});
    }
    EXPECT_EQ(this->sum(&pm::resource_statistics::outstanding), 0U);
    EXPECT_EQ(this->sum(&pm::resource_statistics::completed), 0U);
}

/// A task that runs on the resource 0 alone.
struct runs_on_zero {
    [[nodiscard]] bool accepts(int resource) const { return resource == 0; }
    [[nodiscard]] std::string refusal(int) const { return "it runs on 0 alone"; }
    void operator()(int) const {}
};

TYPED_TEST(ObservedStatistics, count_no_task_where_it_refuses_to_run) {
    for (int i = 0; i < 10; ++i) {
        this->observed.submit(runs_on_zero{});
    }
    EXPECT_EQ(this->observed.statistics().resources[0].completed, 10U);
    EXPECT_EQ(this->sum(&pm::resource_statistics::failed), 0U);
}

TYPED_TEST(ObservedStatistics, begin_anew_with_a_new_set) {
    this->observed.submit([](int) {});
    this->observed.initialize({7});
    EXPECT_EQ(this->observed.statistics().resources.size(), 1U);
    EXPECT_EQ(this->sum(&pm::resource_statistics::completed), 0U);
}

TYPED_TEST(ObservedStatistics, are_exact_under_concurrent_submitters) {
    for (const int threads : {1, 2, 7, 16}) {
        this->observed.initialize({0, 1, 2});
        pm::test::on_threads(threads, [&](int) {
            for (int i = 0; i < 100; ++i) {
                this->observed.submit([](int) {});
            }
        });
        EXPECT_EQ(this->sum(&pm::resource_statistics::completed), 100U * threads);
        EXPECT_EQ(this->sum(&pm::resource_statistics::outstanding), 0U);
    }
}

using one_resource = pm::observed_policy<pm::fixed_resource_policy<int>>;

TEST(ObservedTimes, are_those_from_submission_to_completion) {
    one_resource policy{std::vector{0}};
    for (int i = 1; i <= 100; ++i) {
        policy.submit([&](int) { return ended_after(i * 1s); }).wait();
    }
    const auto seen = policy.statistics().resources.front();
    const auto seconds = [](const auto& time) {
        return std::chrono::duration<double>(time.value()).count();
    };
    EXPECT_NEAR(seconds(seen.mean), 50.5, 0.1);
    EXPECT_NEAR(seconds(seen.median), 50, 50 * 0.017);
    EXPECT_NEAR(seconds(seen.p95), 95, 95 * 0.017);
}

TEST(ObservedTimes, of_waiting_are_those_behind_other_submissions_of_the_resource) {
    one_resource policy{std::vector{0}};
    calling_work first;
    calling_work second;
    auto one = policy.submit([&](int) { return first; });
    auto two = policy.submit([&](int) { return second; });
    const auto now = pm::clock::now();
    first.succeed(now + 10s);
    second.succeed(now + 15s);
    one.wait();
    two.wait();
    const auto seen = policy.statistics().resources.front();
    EXPECT_NEAR(std::chrono::duration<double>(seen.waited).count(), 10, 0.1);
}

TEST(ObservedTimes, of_being_busy_last_while_something_is_outstanding) {
    one_resource policy{std::vector{0}};
    calling_work first;
    calling_work second;
    auto one = policy.submit([&](int) { return first; });
    auto two = policy.submit([&](int) { return second; });
    first.succeed();
    one.wait();
    const auto during = policy.statistics().resources.front();
    EXPECT_GT(during.busy, 0ns);
    second.succeed();
    two.wait();
    const auto after = policy.statistics().resources.front();
    EXPECT_GT(after.busy, during.busy);
    EXPECT_EQ(policy.statistics().resources.front().busy, after.busy);
    EXPECT_GT(after.utilisation, 0);
    EXPECT_LE(after.utilisation, 1);
}

TEST(ObservedKinds, have_the_estimates_and_the_best_resource_of_each_kind) {
    pm::observed_policy<pm::auto_tune_policy<int>> policy{{9, 4}};
    const auto work = [](int resource, std::size_t) { return ended_after(resource * 1s); };
    for (int i = 0; i < 30; ++i) {
        policy.submit(pm::named_task{"blur", work}, std::size_t{4096}).wait();
    }
    const auto all = policy.statistics();
    ASSERT_EQ(all.kinds.size(), 1U);
    EXPECT_EQ(all.kinds.front().name, "blur(2^12)");
    EXPECT_EQ(all.kinds.front().best, std::optional<std::size_t>{1});
    EXPECT_NEAR(std::chrono::duration<double>(all.kinds.front().estimates[1].value()).count(), 4,
                1);
}

TEST(ObservedKinds, are_none_of_a_rule_that_does_not_measure) {
    one_resource policy{std::vector{0}};
    policy.submit([](int) {});
    EXPECT_TRUE(policy.statistics().kinds.empty());
}

TEST(ObservedKinds, are_told_apart_by_the_key_arguments_of_the_policy) {
    using by_first = pm::auto_tune_policy<int, pm::identity, pm::default_backend<int>, int>;
    pm::observed_policy<by_first> policy{{0, 1}};
    const auto work = [](int, int, int) {};
    policy.submit(work, 1, 1);
    policy.submit(work, 1, 1'000);
    policy.submit(work, 1'000, 1);
    EXPECT_EQ(policy.statistics().kinds.size(), 2U);
}

TEST(StatisticsTable, has_a_row_for_each_resource_and_each_kind) {
    pm::policy_statistics all{"auto_tune", 10s, {}, {}};
    all.resources = {{"cpu", 7, 1, 2, 5s, 0.5, 1ms, 2ms, 3ms, 4ms}, {}};
    all.resources[1].name = "µ";
    all.kinds = {{"blur(2^20)", {1ms, 3ms}, 0}, {"sharpen", {std::nullopt, 3ms}, 1}};
    std::ostringstream text;
    text << all;
    EXPECT_EQ(text.str(),
              "auto_tune, observed for 10 s\n"
              "resource  submissions  failed  outstanding  busy  utilisation  mean  median   p95  "
              "waited\n"
              "cpu                10       1            2   5 s         50 %  1 ms    2 ms  3 ms   "
              " 4 ms\n"
              "µ                   0       0            0  0 ns          0 %     -       -     -   "
              " 0 ns\n"
              "\n"
              "kind of task     cpu       µ\n"
              "blur(2^20)    1 ms *    3 ms\n"
              "sharpen            -  3 ms *\n");
}

}  // namespace
