// SPDX-License-Identifier: Apache-2.0
// Constructors and deduction guides of policies: resources, adapters and settings.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

namespace pm = pointsman;
using namespace std::chrono_literals;

struct negating_adapter {
    int operator()(int resource) const { return -resource; }
};

template <class Expected, class Policy>
void expect_policy(const Policy& policy, std::size_t resources) {
    EXPECT_TRUE((std::is_same_v<Expected, Policy>));
    EXPECT_EQ(policy.get_resources().size(), resources);
}

TEST(Construction, deduces_the_resource_from_a_set) {
    using policy = pm::dynamic_load_policy<int>;
    const std::vector set{1, 2};
    expect_policy<policy>(pm::dynamic_load_policy{{1, 2}}, 2);
    expect_policy<policy>(pm::dynamic_load_policy{set}, 2);
    expect_policy<policy>(pm::dynamic_load_policy{set, 1}, 2);
    expect_policy<policy>(pm::dynamic_load_policy{{1, 2}, {}, pm::tie_break::first}, 2);
}

TEST(Construction, deduces_the_adapter_in_front_of_the_settings) {
    using policy = pm::dynamic_load_policy<int, negating_adapter>;
    const std::vector set{1, 2};
    expect_policy<policy>(pm::dynamic_load_policy{{1, 2}, negating_adapter{}}, 2);
    expect_policy<policy>(pm::dynamic_load_policy{set, negating_adapter{}, 1}, 2);
    expect_policy<policy>(
        pm::dynamic_load_policy{{1, 2}, negating_adapter{}, 1, pm::tie_break::first}, 2);
}

TEST(Construction, takes_any_time_span_as_a_setting) {
    using policy = pm::auto_tune_policy<int>;
    expect_policy<policy>(pm::auto_tune_policy{{1, 2}, 5ms}, 2);
    expect_policy<policy>(pm::auto_tune_policy{{1, 2}, 0.5, pm::exact_times::preferred}, 2);
    expect_policy<policy>(pm::auto_tune_policy{{1, 2}, {}, pm::exact_times::preferred}, 2);
    expect_policy<pm::auto_tune_policy<int, negating_adapter>>(
        pm::auto_tune_policy{{1, 2}, negating_adapter{}, 5}, 2);
}

TEST(Construction, takes_numbers_in_braces_for_a_set) {
    using policy = pm::auto_tune_policy<double>;
    expect_policy<policy>(policy{{3.0}}, 1);
    expect_policy<policy>(policy{{3.0, 4.0}}, 2);
    expect_policy<pm::round_robin_policy<int>>(pm::round_robin_policy{{3}}, 1);  // not an offset
}

TEST(Construction, takes_weights_alone_for_a_set) {
    const std::vector<std::uint32_t> weights{5, 1};
    expect_policy<pm::weighted_round_robin_policy<std::uint32_t>>(
        pm::weighted_round_robin_policy{weights}, 2);
    expect_policy<pm::weighted_round_robin_policy<int>>(
        pm::weighted_round_robin_policy{{1, 2}, {5, 1}}, 2);
    EXPECT_FALSE((std::is_constructible_v<pm::weighted_round_robin_policy<int>,
                                          const std::vector<std::uint32_t>&>));
}

TEST(Construction, has_the_default_set_of_any_resource_if_none_is_given) {
    EXPECT_TRUE((std::is_same_v<decltype(pm::round_robin_policy(pm::deferred_initialization)),
                                pm::round_robin_policy<pm::any_resource>>));
    EXPECT_TRUE((std::is_same_v<decltype(pm::token_policy(3U, pm::tie_break::first)),
                                pm::token_policy<pm::any_resource>>));
    EXPECT_TRUE((std::is_same_v<decltype(pm::auto_tune_policy(5ms)),
                                pm::auto_tune_policy<pm::any_resource>>));
}

TEST(Construction, takes_resources_that_cannot_be_compared) {
    struct server {};
    pm::auto_tune_policy policy{std::vector<std::variant<int, server>>{1, server{}}};
    policy.initialize({server{}});
    EXPECT_EQ(policy.get_resources().size(), 1U);
}

TEST(Construction, is_never_a_conversion) {
    using policy = pm::round_robin_policy<int>;
    EXPECT_FALSE((std::is_convertible_v<std::vector<int>, policy>));
    EXPECT_FALSE((std::is_convertible_v<std::size_t, policy>));
    EXPECT_FALSE((std::is_convertible_v<pm::deferred_initialization_t, policy>));
}

}  // namespace
