// SPDX-License-Identifier: Apache-2.0
// fixed_resource_policy takes the resource at its index, by default and after initialize.
#include "pointsman/policy/fixed_resource_policy.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace {

using pointsman::fixed_resource_policy;

TEST(FixedResource, always_chooses_the_resource_at_its_offset) {
    fixed_resource_policy p{{10, 20, 30}, 2};
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 30);
    }
}

TEST(FixedResource, chooses_the_first_by_default) {
    fixed_resource_policy p{{10, 20, 30}};
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 10);
}

TEST(FixedResource, refuses_an_offset_outside_its_set_with_value_and_remedy) {
    const auto message =
        pointsman::test::message_of<std::out_of_range>([] { fixed_resource_policy p{{1, 2}, 7}; });
    EXPECT_EQ(message, "resource index 7 is outside a set of 2: pass an index from 0 to 1");
}

TEST(FixedResource, takes_another_offset_when_initialised_again) {
    fixed_resource_policy p{{10, 20}, 0};
    p.initialize({30, 40}, 1);
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 40);
}

}  // namespace
