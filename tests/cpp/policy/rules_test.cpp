// SPDX-License-Identifier: Apache-2.0
// The rules of the policies as pure objects: without resources, backends and clocks.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/message_of.hpp"

namespace {

namespace pm = pointsman;
using namespace std::chrono_literals;
using pm::test::message_of;

constexpr std::size_t only_thread = 0;
using rule_indices = std::vector<std::size_t>;

template <class Rule>
rule_indices rule_choices(Rule& rule, int n) {
    rule_indices all;
    for (int i = 0; i < n; ++i) {
        all.push_back(rule.choose(only_thread).index);
    }
    return all;
}

TEST(FixedResourceRule, always_takes_the_same_resource) {
    pm::fixed_resource_rule rule{3, 1};
    EXPECT_EQ(rule_choices(rule, 3), (rule_indices{1, 1, 1}));
    EXPECT_EQ(rule.explain({1}), "it always takes number 2 of 3");
}

TEST(RoundRobinRule, begins_at_its_offset) {
    pm::round_robin_rule rule{3, 2};
    EXPECT_EQ(rule_choices(rule, 4), (rule_indices{2, 0, 1, 2}));
    EXPECT_EQ(rule.explain({0}), "it was the turn of number 1 of 3");
}

TEST(WeightedRoundRobinRule, gives_turns_by_weight) {
    pm::weighted_round_robin_rule rule{2, {2, 1}};
    EXPECT_EQ(rule_choices(rule, 6), (rule_indices{0, 1, 0, 0, 1, 0}));
    EXPECT_EQ(rule.explain({1}), "it was the turn of number 2 of 2, by weight");
}

TEST(RandomRule, repeats_its_choices_with_the_same_seed) {
    pm::random_rule one{4, 7};
    pm::random_rule same{4, 7};
    pm::random_rule other{4, 8};
    const auto drawn = rule_choices(one, 32);
    EXPECT_EQ(drawn, rule_choices(same, 32));
    EXPECT_NE(drawn, rule_choices(other, 32));
    EXPECT_EQ(one.explain({drawn.front()}), "it was drawn, as each of 4 may be");
}

TEST(DynamicLoadRule, takes_the_least_loaded_until_it_is_given_back) {
    pm::dynamic_load_rule rule{2};
    EXPECT_EQ(rule_choices(rule, 3), (rule_indices{0, 1, 0}));
    rule.give_back({0});
    rule.give_back({0});
    EXPECT_EQ(rule.loads(), (rule_indices{0, 1}));
    EXPECT_EQ(rule_choices(rule, 1), rule_indices{0});
    EXPECT_EQ(rule.explain({0}), "it had the fewest outstanding submissions");
}

TEST(DynamicLoadRule, chooses_among_the_suitable_resources) {
    pm::dynamic_load_rule rule{3};
    const auto is_last = [](std::size_t index) { return index == 2; };
    EXPECT_EQ(rule.choose_among(only_thread, is_last)->index, 2U);
    EXPECT_EQ(rule.choose_among(only_thread, is_last)->index, 2U);
    EXPECT_EQ(rule.loads(), (rule_indices{0, 0, 2}));
}

TEST(TokenRule, has_no_choice_without_a_token) {
    pm::token_rule rule{1, 2};
    const auto first = rule.choose(only_thread);
    ASSERT_TRUE(first && rule.choose(only_thread));
    EXPECT_FALSE(rule.choose(only_thread));
    rule.give_back(*first);
    EXPECT_TRUE(rule.choose(only_thread));
    EXPECT_EQ(rule.explain(*first), "it had the fewest outstanding submissions");
}

TEST(Rules, refuse_invalid_settings) {
    const auto outside = "resource index 2 is outside a set of 2: pass an index from 0 to 1";
    EXPECT_EQ(message_of<std::out_of_range>([] { pm::fixed_resource_rule{2, 2}; }), outside);
    EXPECT_EQ(message_of<std::out_of_range>([] { pm::round_robin_rule{2, 2}; }), outside);
    EXPECT_EQ(message_of<std::out_of_range>([] { pm::dynamic_load_rule{2, 2}; }), outside);
    EXPECT_EQ(message_of<std::invalid_argument>([] { pm::token_rule{2, 0}; }),
              "tokens is 0, so nothing could run: pass 1 or more");
}

constexpr auto measured_task = [] {};

/// Chooses for a task; a rule that may refuse does not.
template <class Rule>
typename Rule::choice choice_of(Rule& rule, std::size_t thread) {
    if constexpr (requires { rule.choose(thread, measured_task).value(); }) {
        return rule.choose(thread, measured_task).value();
    } else {
        return rule.choose(thread, measured_task);
    }
}

/// Places one task by a rule that measures. The task takes `times[index]` on the chosen resource.
template <class Rule>
auto run_measured(Rule& rule, const std::vector<std::chrono::nanoseconds>& times) {
    const auto chosen = choice_of(rule, pm::detail::hazard_registry::thread());
    if (rule.wants_time(chosen)) {
        rule.learn(chosen, times[chosen.index], true);
    }
    rule.give_back(chosen);
    return chosen;
}

template <class Rule>
class MeasuringRule : public testing::Test {
  public:
    Rule rule{2};
    /// Measures each resource, and returns the next choice.
    auto measure_all(const std::vector<std::chrono::nanoseconds>& times) {
        for (int i = 0; i < 3; ++i) {
            run_measured(rule, times);
        }
        return run_measured(rule, times);
    }
};
using measuring = testing::Types<pm::auto_tune_rule<>, pm::earliest_finish_rule>;
TYPED_TEST_SUITE(MeasuringRule, measuring);

TYPED_TEST(MeasuringRule, uses_the_faster_resource_once_both_are_measured) {
    this->measure_all({30us, 20us});
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(run_measured(this->rule, {30us, 20us}).index, 1U);
    }
    EXPECT_EQ(this->rule.loads(), (rule_indices{0, 0}));
}

TYPED_TEST(MeasuringRule, says_that_it_measures_until_both_are_measured) {
    const auto chosen = run_measured(this->rule, {30us, 20us});
    EXPECT_EQ(this->rule.explain(chosen),
              "it was measured on this kind of task, as not all resources are known yet");
}

TEST(AutoTuneRule, says_how_fast_its_choice_is) {
    pm::auto_tune_rule<> rule{2};
    for (int i = 0; i < 4; ++i) {
        run_measured(rule, {30us, 20us});
    }
    EXPECT_EQ(rule.explain(run_measured(rule, {30us, 20us})),
              "it is fastest for this kind of task, about 20 µs");
}

TEST(EarliestFinishRule, takes_the_slower_resource_while_the_faster_one_is_busy) {
    pm::earliest_finish_rule rule{2};
    for (int i = 0; i < 4; ++i) {
        run_measured(rule, {30s, 20s});
    }
    const auto one = choice_of(rule, only_thread);
    const auto two = choice_of(rule, only_thread);
    EXPECT_EQ(one.index, 1U);
    EXPECT_EQ(two.index, 0U);
}

}  // namespace
