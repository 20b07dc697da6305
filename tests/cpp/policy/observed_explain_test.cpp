// SPDX-License-Identifier: Apache-2.0
// Submissions of an observed policy explain their choice from the record that was made at the choice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"

namespace {

namespace pm = pointsman;
using namespace std::chrono_literals;
using pm::test::calling_work;
using pm::test::ended_after;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto take_name = [](const std::string&) {};
constexpr auto take_number = [](int) {};

template <class T>
std::string printed(const T& value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

template <class Kind>
struct ObservedExplain : ::testing::Test {
    using policy_type = pm::observed_policy<typename Kind::template policy<int>>;
};
TYPED_TEST_SUITE(ObservedExplain, pm::test::combined_policy_kinds, pm::test::kind_names);

TYPED_TEST(ObservedExplain, names_the_policy_and_the_resource_that_was_used) {
    typename TestFixture::policy_type policy{{4, 5, 6}};
    auto submission = policy.submit([](int resource) { return resource; });
    const pm::explanation why = submission.explain();
    EXPECT_EQ(why.policy, TypeParam::name);
    ASSERT_EQ(why.candidates.size(), 3U);
    EXPECT_EQ(why.candidates[why.chosen].name, std::to_string(submission.unwrap()));
    EXPECT_THAT(printed(why), StartsWith(why.policy + " chose " + why.candidates[why.chosen].name));
}

TYPED_TEST(ObservedExplain, gives_the_chosen_resource_no_higher_score_than_the_others) {
    typename TestFixture::policy_type policy{{4, 5, 6}};
    for (int i = 0; i < 20; ++i) {
        const auto why = policy.submit(take_number).explain();
        for (const auto& each : why.candidates) {
            if (each.score && why.candidates[why.chosen].score &&
                why.reason.find("measured") == std::string::npos) {
                EXPECT_GE(*each.score, *why.candidates[why.chosen].score) << printed(why);
            }
        }
    }
}

TYPED_TEST(ObservedExplain, outlives_the_policy) {
    const auto submission = [] {
        typename TestFixture::policy_type policy{{4, 5, 6}};
        return policy.submit(take_number);
    }();
    EXPECT_EQ(submission.explain().candidates.size(), 3U);
}

TYPED_TEST(ObservedExplain, is_about_the_set_from_which_the_policy_chose) {
    typename TestFixture::policy_type policy{{4, 5, 6}};
    const auto submission = policy.submit(take_number);
    const auto before = printed(submission.explain());
    policy.initialize({7});
    EXPECT_EQ(printed(submission.explain()), before);
}

TEST(ObservedExplainLoads, has_the_loads_at_the_choice) {
    pm::observed_policy<pm::dynamic_load_policy<std::string>> policy{{"cpu", "gpu"}};
    const auto on_cpu = policy.select(take_name);
    const auto submission = policy.submit(take_name);
    const auto more = policy.select(take_name);
    EXPECT_EQ(printed(submission.explain()),
              "dynamic_load chose gpu: it had the fewest outstanding submissions (idle) (others: "
              "cpu: 1 outstanding)");
    EXPECT_EQ(submission.explain().unit, "submissions");
}

TEST(ObservedExplainLoads, has_the_loads_of_a_rule_that_does_not_compare_them) {
    pm::observed_policy<pm::round_robin_policy<std::string>> policy{{"cpu", "gpu"}};
    const auto on_cpu = policy.select(take_name);
    const auto why = policy.submit(take_name).explain();
    EXPECT_EQ(
        printed(why),
        "round_robin chose gpu: it was the turn of number 2 of 2 (others: cpu: 1 outstanding)");
    EXPECT_EQ(why.unit, "");
}

/// Submits work that takes a second for each number of its resource until the choice stands.
template <class Policy>
auto settle(Policy& policy, int times = 40) {
    const auto work = [](int resource) { return ended_after(resource * 1s); };
    for (int i = 1; i < times; ++i) {
        policy.submit(work).wait();
    }
    return policy.submit(work);
}

TEST(ObservedExplainTimes, has_the_times_that_were_known_at_the_choice) {
    pm::observed_policy<pm::auto_tune_policy<int>> policy{{4, 9}};
    const auto first = policy.submit([](int) { return ended_after(1s); });
    const auto settled = settle(policy);
    const auto why = settled.explain();
    EXPECT_EQ(why.unit, "seconds");
    EXPECT_NEAR(why.candidates[0].score.value(), 4, 1);
    EXPECT_NEAR(why.candidates[1].score.value(), 9, 1);
    EXPECT_THAT(printed(why), HasSubstr("it was fastest for this kind of task, about 4"));
    EXPECT_EQ(first.explain().candidates[1].state, "not measured yet");
}

TEST(ObservedExplainTimes, does_not_change_with_later_measurements) {
    pm::observed_policy<pm::earliest_finish_policy<int>> policy{{4, 9}};
    const auto first = settle(policy, 1);
    const auto before = printed(first.explain());
    settle(policy);
    EXPECT_EQ(printed(first.explain()), before);
    EXPECT_THAT(before, HasSubstr("as not all resources are known yet"));
}

TEST(ObservedExplainTimes, of_a_selection_goes_by_its_record_too) {
    pm::observed_policy<pm::auto_tune_policy<int>> policy{{4, 9}};
    const auto chosen = policy.select([](int resource) { return ended_after(resource * 1s); });
    const auto before = policy.explain(chosen);
    settle(policy);
    EXPECT_EQ(policy.explain(chosen), before);
}

TEST(ObservedExplainSubmission, is_there_for_try_submit_and_for_selections) {
    pm::observed_policy<pm::round_robin_policy<int>> policy{{4, 5}};
    EXPECT_EQ(policy.try_submit(take_number).value().explain().chosen, 0U);
    const auto chosen = policy.select(take_number);
    EXPECT_EQ(policy.submit(chosen, take_number).explain().chosen, 1U);
    EXPECT_EQ(policy.submit(chosen, take_number).explain().chosen, 1U);
}

TEST(ObservedExplainSubmission, is_not_a_member_without_a_record) {
    pm::round_robin_policy policy{{4, 5}};
    const auto explains = [](const auto& submission) { return requires { submission.explain(); }; };
    EXPECT_FALSE(explains(policy.submit(take_number)));
}

/// A resource that cannot be printed.
struct silent_server {
    int number;
};

TEST(ObservedExplainNames, are_numbers_for_resources_that_cannot_be_printed_or_look_alike) {
    pm::observed_policy<pm::round_robin_policy<silent_server>> silent{{{1}, {2}}};
    EXPECT_EQ(silent.submit([](const silent_server&) {}).explain().candidates[1].name,
              "number 2 of 2");
    pm::observed_policy<pm::round_robin_policy<std::string>> alike{{"cpu", "cpu", "gpu"}};
    const auto why = alike.submit(take_name).explain();
    EXPECT_EQ(why.candidates[1].name, "cpu (number 2 of 3)");
    EXPECT_EQ(why.candidates[2].name, "gpu");
}

}  // namespace
