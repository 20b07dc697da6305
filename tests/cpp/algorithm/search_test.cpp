// SPDX-License-Identifier: Apache-2.0
// all_of, any_of, none_of, count_if and find_if equal the standard algorithms under every policy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/all_of.hpp"
#include "pointsman/algorithm/any_of.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/none_of.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int, is_third, (int32_t x), { return x % 3 == 2 ? 5 : 0; });
POINTSMAN_FUNCTION(bool, is_marked, (int32_t x), { return x == -1; });

using Search = EveryExecutionPolicy;

TEST_F(Search, counts_the_values_for_which_a_predicate_holds) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = counting(size);
        const auto expected = std::count_if(x.begin(), x.end(), is_third);
        under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(count_if(policy, x.begin(), x.end(), is_third), expected)
                << name << ", size " << size;
        });
    }
}

template <class T>
class HostCount : public ::testing::Test {};
using counted_types = ::testing::Types<bool, std::int8_t, std::uint16_t, float, double>;
TYPED_TEST_SUITE(HostCount, counted_types);

TYPED_TEST(HostCount, counts_none_some_and_all_values_of_each_width) {
    for (const std::size_t size : {0U, 1U, 127U, 128U, 300U, 70'001U}) {
        std::vector<std::conditional_t<std::is_same_v<TypeParam, bool>, unsigned char, TypeParam>>
            x(size);
        for (std::size_t i = 0; i < size; ++i) {
            x[i] = i % 5 == 0 ? 1 : 0;
        }
        const auto ones = static_cast<std::ptrdiff_t>((size + 4) / 5);
        const auto check = [&](const auto& policy) {
            const auto first = x.data(), last = x.data() + size;
            EXPECT_EQ(count(policy, first, last, TypeParam{1}), ones) << size;
            const auto counted = [&](const auto& predicate) {
                return count_if(policy, first, last, predicate);
            };
            EXPECT_EQ(counted([](auto value) { return value < 2; }), std::ptrdiff_t(size));
            EXPECT_EQ(counted([](auto value) { return value > 1; }), 0) << size;
            EXPECT_EQ(counted([](auto value) { return value == 0; }), std::ptrdiff_t(size) - ones);
        };
        check(execution::seq);
        check(execution::par_unseq);
    }
}

TEST_F(Search, finds_the_first_match_or_none) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = counting(size);
        under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(find_if(policy, x.begin(), x.end(), is_marked), x.end()) << name;
            EXPECT_FALSE(any_of(policy, x.begin(), x.end(), is_marked)) << name;
            EXPECT_TRUE(none_of(policy, x.begin(), x.end(), is_marked)) << name;
        });
        for (const std::size_t index : {std::size_t{0}, size / 2, size - 1}) {
            if (index >= size) {
                continue;
            }
            auto marked = x;
            marked[index] = marked.back() = -1;
            under_policies([&](const auto& policy, const std::string& name) {
                EXPECT_EQ(find_if(policy, marked.begin(), marked.end(), is_marked),
                          std::ranges::find(marked, -1))
                    << name << ", size " << size;
                EXPECT_TRUE(any_of(policy, marked.begin(), marked.end(), is_marked)) << name;
                EXPECT_FALSE(none_of(policy, marked.begin(), marked.end(), is_marked)) << name;
            });
        }
    }
}

TEST_F(Search, checks_whether_a_predicate_holds_for_all) {
    for (const std::size_t size : algorithm_sizes) {
        std::vector<std::int32_t> x(size, -1);
        under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_TRUE(all_of(policy, x.begin(), x.end(), is_marked)) << name;
        });
        if (size == 0) {
            continue;
        }
        x[size / 2] = 0;
        under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_FALSE(all_of(policy, x.begin(), x.end(), is_marked)) << name;
        });
    }
}

}  // namespace
}  // namespace pointsman::test
