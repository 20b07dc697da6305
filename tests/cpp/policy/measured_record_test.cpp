// SPDX-License-Identifier: Apache-2.0
// The record of a choice of the rules that measure: what they compared, for tasks that ask for it.
#include "pointsman/tuning/measured_record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/on_threads.hpp"

namespace {

namespace pm = pointsman;
using namespace std::chrono_literals;
using pm::detail::measured_reason;
using pm::detail::measured_record;
using std::chrono::nanoseconds;

/// A task that asks for the record of its choice.
struct recorded_task {
    measured_record* record;
    pm::task_key key{1, 0};

    [[nodiscard]] measured_record& recorder() const { return *record; }
    [[nodiscard]] pm::task_key task_key() const { return key; }
};

template <class Rule>
std::optional<typename Rule::choice> recorded_choice(Rule& rule, measured_record& record,
                                                     pm::task_key key = {1, 0}) {
    return rule.choose(pm::detail::hazard_registry::thread(), recorded_task{&record, key});
}

template <class Rule>
void end_recorded(Rule& rule, const typename Rule::choice& chosen, nanoseconds time) {
    if (rule.wants_time(chosen)) {
        rule.learn(chosen, time, true);
    }
    rule.give_back(chosen);
}

/// Runs a task to its end; it takes `times[index]`. Returns the record of its choice.
template <class Rule>
measured_record run_recorded(Rule& rule, const std::vector<nanoseconds>& times,
                             pm::task_key key = {1, 0}) {
    measured_record record;
    const auto chosen = recorded_choice(rule, record, key).value();
    end_recorded(rule, chosen, times[chosen.index]);
    return record;
}

/// Runs tasks until the choice stands; returns the record of the last one.
template <class Rule>
measured_record run_until_settled(Rule& rule, const std::vector<nanoseconds>& times) {
    measured_record last = run_recorded(rule, times);
    for (int i = 0; i < 20; ++i) {
        last = run_recorded(rule, times);
    }
    return last;
}

template <class Rule>
struct MeasuredRecord : testing::Test {
    Rule rule{2};
};
using recording = testing::Types<pm::auto_tune_rule<>, pm::earliest_finish_rule>;
TYPED_TEST_SUITE(MeasuredRecord, recording);

TYPED_TEST(MeasuredRecord, has_the_times_that_were_known_at_the_choice) {
    for (const auto unit : {1us, 1000us}) {  // chosen from the cache, and by the model
        TypeParam fresh{2};
        const auto record = run_until_settled(fresh, {unit * 3, unit * 2});
        ASSERT_EQ(record.size, 2U);
        const auto length = static_cast<float>(nanoseconds{unit}.count());
        EXPECT_NEAR(record.candidates[0].time, length * 3, length / 100);
        EXPECT_NEAR(record.candidates[1].time, length * 2, length / 100);
        EXPECT_EQ(record.reason, measured_reason::lowest_score);
    }
}

TYPED_TEST(MeasuredRecord, says_that_a_first_timing_was_taken) {
    const auto record = run_recorded(this->rule, {30us, 20us});
    EXPECT_EQ(record.reason, measured_reason::first_timing);
    EXPECT_TRUE(std::isinf(record.candidates[0].time));
    EXPECT_EQ(TypeParam::explain(0, record),
              "it was measured on this kind of task, as not all resources are known yet");
}

TYPED_TEST(MeasuredRecord, says_that_a_known_resource_was_timed_again) {
    measured_record record = run_until_settled(this->rule, {1300us, 1000us});
    for (int i = 0; i < 2'000 && record.reason == measured_reason::lowest_score; ++i) {
        record = run_recorded(this->rule, {1300us, 1000us});
    }
    ASSERT_EQ(record.reason, measured_reason::another_timing);
    EXPECT_EQ(TypeParam::explain(0, record),
              "it was measured again on this kind of task, about 1.3 ms");
}

TYPED_TEST(MeasuredRecord, marks_resources_that_fail) {
    run_until_settled(this->rule, {30us, 20us});
    measured_record record;
    for (int i = 0; i < 3; ++i) {
        const auto chosen = recorded_choice(this->rule, record).value();
        if (chosen.index == 1) {
            this->rule.fail(chosen);
        }
        this->rule.give_back(chosen);
    }
    run_recorded(this->rule, {30us, 20us});
    record = run_recorded(this->rule, {30us, 20us});
    EXPECT_EQ(record.failing, 2U);
    EXPECT_TRUE(std::isinf(record.candidates[1].score));
    EXPECT_NEAR(record.candidates[1].time, 20e3F, 200);
}

TYPED_TEST(MeasuredRecord, marks_times_that_were_predicted_from_other_sizes) {
    const std::vector<nanoseconds> times{30ms, 1ms};
    const auto key_of_size = [](std::uint64_t bytes) {
        return pm::task_key{1, std::uint64_t{257} + pm::size_class_of(bytes)};
    };
    for (int i = 0; i < 20; ++i) {
        run_recorded(this->rule, times, key_of_size(1000));
    }
    const auto record = run_recorded(this->rule, times, key_of_size(2000));
    EXPECT_EQ(record.from_others, 3U);
    EXPECT_LT(record.candidates[1].time, record.candidates[0].time);
}

TYPED_TEST(MeasuredRecord, is_made_for_the_first_eight_resources) {
    TypeParam of_many{20};
    EXPECT_EQ(run_recorded(of_many, std::vector<nanoseconds>(20, 1ms)).size, measured_record::most);
}

TEST(MeasuredRecordOfAutoTune, explains_the_fastest) {
    pm::auto_tune_rule<> rule{2};
    const auto record = run_until_settled(rule, {3us, 2us});
    EXPECT_EQ(pm::auto_tune_rule<>::explain(1, record),
              "it was fastest for this kind of task, about 2 µs");
}

TEST(MeasuredRecordOfEarliestFinish, counts_the_work_before_a_task_three_times) {
    pm::earliest_finish_rule rule{2};
    run_until_settled(rule, {50us, 2us});
    measured_record record;
    const auto first = recorded_choice(rule, record).value();
    ASSERT_EQ(first.index, 1U);
    const auto second = recorded_choice(rule, record).value();
    EXPECT_NEAR(record.candidates[0].score, 50e3F, 500);
    EXPECT_NEAR(record.candidates[1].score, 8e3F, 100);
    EXPECT_NEAR(record.candidates[1].time, 2e3F, 20);
    EXPECT_EQ(pm::earliest_finish_rule::explain(second.index, record),
              "it was expected to end first, about 2 µs");
    rule.give_back(first);
    rule.give_back(second);
}

/// Returns true if the chosen resource has the lowest of the recorded scores.
bool is_lowest(const measured_record& record, std::size_t chosen) {
    return std::ranges::all_of(
               record.candidates.begin(), record.candidates.begin() + record.size,
               [&](const auto& each) { return record.candidates[chosen].score <= each.score; }) &&
           std::isfinite(record.candidates[chosen].score);
}

TYPED_TEST(MeasuredRecord, shows_the_chosen_resource_as_the_lowest_while_costs_and_loads_change) {
    TypeParam shared{4};
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message{} << "seed " << seed);
    std::atomic<int> wrong{0};
    std::atomic<int> by_score{0};
    pm::test::on_threads(4, [&](int thread) {
        std::mt19937 random{seed + static_cast<unsigned>(thread)};
        const auto below = [&](unsigned n) { return random() % n; };
        std::deque<typename TypeParam::choice> outstanding;
        const auto end_one = [&] {
            const auto chosen = outstanding.front();
            outstanding.pop_front();
            const unsigned drift = 1 + below(4);
            end_recorded(shared, chosen, nanoseconds{1'000 * (1 + chosen.index) * drift});
        };
        for (int i = 0; i < 10'000; ++i) {
            measured_record record;
            if (const std::optional<typename TypeParam::choice> chosen =
                    recorded_choice(shared, record, {1 + below(3), 0})) {
                if (record.reason == measured_reason::lowest_score) {
                    ++by_score;
                    wrong += is_lowest(record, chosen->index) ? 0 : 1;
                }
                outstanding.push_back(*chosen);
            }
            while (outstanding.size() > below(8)) {
                end_one();
            }
        }
        while (!outstanding.empty()) {
            end_one();
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(by_score, 1'000);
}

TYPED_TEST(MeasuredRecord, is_no_reason_to_learn_a_kind_that_was_only_asked_for) {
    EXPECT_EQ(std::as_const(this->rule).estimates([] {}),
              (std::vector<std::optional<nanoseconds>>(2)));
    EXPECT_TRUE(this->rule.most_used_kinds(9).empty());
}

TYPED_TEST(MeasuredRecord, is_beside_the_timings_of_the_kinds_that_are_used_most) {
    for (std::uint64_t callable = 1; callable <= 3; ++callable) {
        for (std::uint64_t i = 0; i < 10 * callable; ++i) {
            run_recorded(this->rule, {30us, 20us}, {callable, 0});
        }
    }
    const auto kinds = this->rule.most_used_kinds(2);
    ASSERT_EQ(kinds.size(), 2U);
    EXPECT_EQ(kinds[0].key.callable, 3U);
    EXPECT_EQ(kinds[1].key.callable, 2U);
    ASSERT_EQ(kinds[0].resources.size(), 2U);
    EXPECT_GT(kinds[0].resources[1].count, 10U);
    EXPECT_NEAR(static_cast<double>(kinds[0].resources[1].mean->count()), 20e3, 200);
}

}  // namespace
