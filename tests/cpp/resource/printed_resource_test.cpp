// SPDX-License-Identifier: Apache-2.0
// Resources print themselves, for explanations, tables and failed tests.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "pointsman/pointsman.hpp"

namespace {

namespace pm = pointsman;

template <class T>
std::string printed_resource(const T& resource) {
    std::ostringstream text;
    text << resource;
    return text.str();
}

TEST(PrintedResource, is_an_arena_with_its_threads) {
    EXPECT_EQ(printed_resource(pm::arena{1}), "arena of 1 thread");
    EXPECT_EQ(printed_resource(pm::arena{2}), "arena of 2 threads");
}

TEST(PrintedResource, is_the_one_that_an_any_resource_holds) {
    EXPECT_EQ(printed_resource(pm::any_resource{pm::arena{2}}), "arena of 2 threads");
    EXPECT_EQ(printed_resource(pm::any_resource_of<int, std::string>{std::string{"far"}}), "far");
}

struct silent_kind {};

TEST(PrintedResource, is_none_if_a_kind_cannot_be_printed) {
    const auto prints = [](const auto& resource) {
        return requires(std::ostream& out) { out << resource; };
    };
    EXPECT_TRUE(prints(pm::any_resource_of<int, std::string>{7}));
    EXPECT_FALSE((prints(pm::any_resource_of<int, silent_kind>{7})));
}

TEST(PrintedResource, names_arenas_in_the_statistics_of_a_policy) {
    pm::observed_policy<pm::round_robin_policy<pm::arena>> policy{{pm::arena{1}, pm::arena{2}}};
    EXPECT_EQ(policy.statistics().resources.back().name, "arena of 2 threads");
}

}  // namespace
