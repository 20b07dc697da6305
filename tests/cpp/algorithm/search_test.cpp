// SPDX-License-Identifier: Apache-2.0
// Searches and counts under every policy give what the standard's give.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/all_of.hpp"
#include "pointsman/algorithm/any_of.hpp"
#include "pointsman/algorithm/count_if.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/for_each_n.hpp"
#include "pointsman/algorithm/generate.hpp"
#include "pointsman/algorithm/none_of.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int, is_third, (int32_t x), { return x % 3 == 2 ? 5 : 0; });
POINTSMAN_FUNCTION(bool, is_marked, (int32_t x), { return x == -1; });

using Search = EveryExecutionPolicy;

TEST_F(Search, counts_the_values_for_which_a_predicate_holds) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = counting(size);
        const auto wanted = std::count_if(x.begin(), x.end(), is_third);
        under_every_policy([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(count_if(policy, x.begin(), x.end(), is_third), wanted)
                << name << ", size " << size;
        });
    }
}

TEST_F(Search, finds_the_first_of_several_and_nothing_where_there_is_none) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = counting(size);
        under_every_policy([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(find_if(policy, x.begin(), x.end(), is_marked), x.end()) << name;
            EXPECT_FALSE(any_of(policy, x.begin(), x.end(), is_marked)) << name;
            EXPECT_TRUE(none_of(policy, x.begin(), x.end(), is_marked)) << name;
        });
        for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
            if (place >= size) {
                continue;
            }
            auto marked = x;
            marked[place] = marked.back() = -1;
            under_every_policy([&](const auto& policy, const std::string& name) {
                EXPECT_EQ(find_if(policy, marked.begin(), marked.end(), is_marked),
                          std::ranges::find(marked, -1))
                    << name << ", size " << size;
                EXPECT_TRUE(any_of(policy, marked.begin(), marked.end(), is_marked)) << name;
                EXPECT_FALSE(none_of(policy, marked.begin(), marked.end(), is_marked)) << name;
            });
        }
    }
}

TEST_F(Search, tells_whether_a_predicate_holds_for_all) {
    for (const std::size_t size : algorithm_sizes) {
        std::vector<std::int32_t> x(size, -1);
        under_every_policy([&](const auto& policy, const std::string& name) {
            EXPECT_TRUE(all_of(policy, x.begin(), x.end(), is_marked)) << name;
        });
        if (size == 0) {
            continue;
        }
        x[size / 2] = 0;
        under_every_policy([&](const auto& policy, const std::string& name) {
            EXPECT_FALSE(all_of(policy, x.begin(), x.end(), is_marked)) << name;
        });
    }
}

template <class Check>
void under_host_policies(Check check) {
    check(execution::seq);
    check(execution::par);
    check(execution::par_unseq);
    check(execution::unseq);
}

TEST(HostAlgorithm, calls_a_function_with_each_value) {
    for (const std::size_t size : algorithm_sizes) {
        under_host_policies([&](const auto& policy) {
            auto x = counting(size);
            for_each(policy, x.begin(), x.end(), [](std::int32_t& value) { ++value; });
            const auto middle = static_cast<std::ptrdiff_t>(size / 2);
            EXPECT_EQ(for_each_n(policy, x.begin(), middle, [](std::int32_t& value) { --value; }),
                      x.begin() + middle);
            for (std::size_t i = 0; i < size; ++i) {
                ASSERT_EQ(x[i], static_cast<std::int32_t>(i + (i < size / 2 ? 0 : 1)));
            }
        });
    }
}

TEST(HostAlgorithm, generates_a_value_for_each_place) {
    for (const std::size_t size : algorithm_sizes) {
        const auto in_turn = [&](const auto& policy) {
            std::atomic<std::int32_t> next{0};
            std::vector<std::int32_t> x(size, -1);
            generate(policy, x.begin(), x.end(), [&] { return next++; });
            std::ranges::sort(x);
            EXPECT_EQ(x, counting(size));
        };
        in_turn(execution::seq);
        in_turn(execution::par);
        under_host_policies([&](const auto& policy) {
            std::vector<std::int32_t> x(size, -1);
            generate(policy, x.begin(), x.end(), [] { return 7; });
            EXPECT_EQ(x, std::vector<std::int32_t>(size, 7));
        });
    }
}

}  // namespace
}  // namespace pointsman::test
