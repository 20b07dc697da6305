// SPDX-License-Identifier: Apache-2.0
// What policies that measure keep of the resources that stay when the set is replaced.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/policy/detail/resource_set.hpp"
#include "pointsman/policy/earliest_finish_policy.hpp"
#include "support/manual_work.hpp"

namespace {

namespace t = pointsman::test;
using origins = std::vector<std::optional<std::size_t>>;

/// A resource is the time that a task takes on it.
constexpr auto take = [](std::chrono::seconds time) { return t::ended_after(time); };

template <class Policy>
class MeasuringPolicy : public testing::Test {};
using measuring_policies = testing::Types<pointsman::auto_tune_policy<std::chrono::seconds>,
                                          pointsman::earliest_finish_policy<std::chrono::seconds>>;
TYPED_TEST_SUITE(MeasuringPolicy, measuring_policies);

TYPED_TEST(MeasuringPolicy, keeps_the_times_of_resources_that_stay) {
    using std::chrono::seconds;
    TypeParam p{{seconds{900}, seconds{100}}};
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(p.submit(take));
    }
    const auto before = p.estimates(take);
    p.initialize({seconds{100}, seconds{300}, seconds{900}});
    EXPECT_EQ(p.estimates(take), (decltype(before){before[1], std::nullopt, before[0]}));
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>(3)));
}

TYPED_TEST(MeasuringPolicy, sends_work_to_the_best_of_those_that_stay_at_once) {
    using std::chrono::seconds;
    TypeParam p{{seconds{900}, seconds{100}, seconds{500}}};
    std::map<seconds, int> chosen;
    const auto count = [&](seconds time) {
        ++chosen[time];
        return t::ended_after(time);
    };
    for (int i = 0; i < 50; ++i) {
        static_cast<void>(p.submit(count));
    }
    chosen.clear();
    p.initialize({seconds{500}, seconds{100}});
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(p.submit(count));
    }
    EXPECT_EQ(chosen[seconds{100}], 20);
}

TYPED_TEST(MeasuringPolicy, forgets_a_resource_that_was_away) {
    using std::chrono::seconds;
    TypeParam p{{seconds{100}, seconds{200}}};
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(p.submit(take));
    }
    p.initialize({seconds{200}});
    p.initialize({seconds{100}, seconds{200}});
    EXPECT_FALSE(p.estimates(take)[0]);
    EXPECT_TRUE(p.estimates(take)[1]);
}

TEST(OriginsIn, are_the_places_of_equal_resources) {
    using pointsman::detail::origins_in;
    const std::vector before{10, 20, 30};
    EXPECT_EQ(origins_in(before, before), (origins{0, 1, 2}));
    EXPECT_EQ(origins_in(before, std::vector{30, 40, 10}), (origins{2, std::nullopt, 0}));
    EXPECT_EQ(origins_in(std::vector<int>{}, before), origins(3));
}

TEST(OriginsIn, uses_each_place_once) {
    using pointsman::detail::origins_in;
    EXPECT_EQ(origins_in(std::vector{7, 7}, std::vector{7, 7, 7}), (origins{0, 1, std::nullopt}));
}

}  // namespace
