// SPDX-License-Identifier: Apache-2.0
// Rules that are driven by hand, in a time that the test advances.
#include "pointsman/policy/driven_rule.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/policy/earliest_finish_policy.hpp"
#include "pointsman/policy/token_policy.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::driven_rule;

const pointsman::task_key driven_key{.callable = 1, .sizes = 2};

TEST(DrivenRule, gives_back_what_is_complete) {
    driven_rule<pointsman::token_rule> rule{std::vector<pointsman::domain>(1)};
    const auto first = rule.choose(driven_key, 0ns);
    ASSERT_TRUE(first);
    EXPECT_FALSE(rule.choose(driven_key, 1ns));
    rule.complete(*first, 5ns, 5ns);
    EXPECT_TRUE(rule.choose(driven_key, 5ns));
    EXPECT_TRUE(driven_rule<pointsman::token_rule>::waits_for_completion);
    EXPECT_FALSE(driven_rule<pointsman::earliest_finish_rule>::waits_for_completion);
}

TEST(DrivenRule, needs_a_resource) {
    EXPECT_THROW(driven_rule<pointsman::token_rule>{std::vector<pointsman::domain>{}},
                 pointsman::empty_resource_set);
}

/// Runs a task that takes 1 ms on the first resource, and 3 ms on the second; returns the index.
std::size_t run_one(auto& rule, pointsman::clock::duration& now) {
    const auto chosen = rule.choose(driven_key, now);
    const auto time = chosen->index == 0 ? 1ms : 3ms;
    now += time;
    rule.complete(*chosen, time, now);
    return chosen->index;
}

TEST(DrivenRule, a_rule_forgets_by_the_simulated_time) {
    driven_rule<pointsman::auto_tune_rule<>> rule{std::vector<pointsman::domain>(2), 10s};
    pointsman::clock::duration now{};
    for (int i = 0; i < 20; ++i) {
        run_one(rule, now);
    }
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(run_one(rule, now), 0U);
    }
    now += 11s;
    std::size_t on_second = 0;
    for (int i = 0; i < 4; ++i) {
        on_second += run_one(rule, now);
    }
    EXPECT_GT(on_second, 0U);
}

}  // namespace
