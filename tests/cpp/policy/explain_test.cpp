// SPDX-License-Identifier: Apache-2.0
// explain returns the reason why a policy selected a resource.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/every_policy.hpp"

namespace {

namespace pm = pointsman;
using namespace std::chrono_literals;

constexpr auto neutral_reason = "its own rule chose it";

template <class Kind>
struct Explain : ::testing::Test {};
TYPED_TEST_SUITE(Explain, pm::test::policy_kinds, pm::test::kind_names);

TYPED_TEST(Explain, asks_the_rule) {
    auto policy = TypeParam::over(std::vector{4, 5});
    const auto chosen = policy.select([](int) {});
    EXPECT_EQ(policy.explain(chosen), chosen.chosen_by().explain(chosen.choice()));
    EXPECT_NE(policy.explain(chosen), neutral_reason);
    EXPECT_EQ(policy.explain(chosen).substr(0, 2), "it");
}

TYPED_TEST(Explain, is_about_the_set_from_which_the_selection_came) {
    auto policy = TypeParam::over(std::vector{4, 5});
    const auto chosen = policy.select([](int) {});
    const auto reason = policy.explain(chosen);
    policy.initialize({6, 7, 8});
    EXPECT_EQ(policy.explain(chosen), reason);
}

TEST(ExplainAutoTune, gives_the_time_once_all_resources_are_measured) {
    pm::auto_tune_policy policy{{4, 5}};
    const auto task = [](int) {};
    for (int i = 0; i < 4; ++i) {
        pm::test::tell(policy, [](int resource) { return resource * 1us; }, task);
    }
    EXPECT_EQ(policy.explain(policy.select(task)),
              "it is fastest for this kind of task, about 4 µs");
}

/// The choice of the rules below, which always take the last resource.
struct last_choice {
    std::size_t index;
};
struct silent_rule {
    using choice = last_choice;
    explicit silent_rule(const std::vector<int>& resources) : last{resources.size() - 1} {}
    template <class... Task>
    choice choose(std::size_t, const Task&...) const {
        return {last};
    }
    std::size_t last;
};
struct telling_rule : silent_rule {
    using silent_rule::silent_rule;
    static std::string explain(const choice&) { return "it is the last"; }
};
template <class Rule>
struct last_policy : pm::policy_base<last_policy<Rule>, pm::identity, pm::default_backend<int>> {
    using state_type = Rule;
    using selection_type = typename last_policy::policy_base::state_selection;
    explicit last_policy(pm::deferred_initialization_t) {}
    explicit last_policy(const std::vector<int>& resources) { this->initialize(resources); }
};

TEST(ExplainOwnPolicy, says_what_its_state_says) {
    last_policy<telling_rule> policy{{4, 5}};
    EXPECT_EQ(policy.explain(policy.select()), "it is the last");
}

TEST(ExplainOwnPolicy, is_neutral_if_the_state_gives_no_reason) {
    last_policy<silent_rule> policy{{4, 5}};
    EXPECT_EQ(policy.explain(policy.select()), neutral_reason);
}

/// A policy without a state.
struct first_policy : pm::policy_base<first_policy, pm::identity, pm::default_backend<int>> {
    using base = pm::policy_base<first_policy, pm::identity, pm::default_backend<int>>;
    using selection_type = base::selection_type;
    explicit first_policy(const std::vector<int>& resources) { initialize(resources); }
    template <class... Task>
    std::optional<selection_type> try_select_impl(const Task&...) {
        return selection_type{*this, get_resources().front()};
    }
};

TEST(ExplainOwnPolicy, is_neutral_without_a_state) {
    first_policy policy{{4, 5}};
    EXPECT_EQ(policy.explain(policy.select()), neutral_reason);
}

}  // namespace
