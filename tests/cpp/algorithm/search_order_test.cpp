// SPDX-License-Identifier: Apache-2.0
// is_sorted, is_partitioned, is_heap and their _until forms equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <limits>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/is_heap.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/algorithm/is_partitioned.hpp"
#include "pointsman/algorithm/is_sorted.hpp"
#include "pointsman/algorithm/is_sorted_until.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, is_less_than_two, (double x), { return x < 2; });
POINTSMAN_FUNCTION(bool, has_lower_tens, (int32_t a, int32_t b), { return a / 10 < b / 10; });

template <class T>
class SearchOrder : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    void check(const std::vector<T>& x, const char* what) {
        this->under_policies([&](const auto& policy, const std::string& name) {
            const std::string message = std::string{what} + ", " + name + ", size " +
                                        std::to_string(x.size()) + ", " + random.seed();
            EXPECT_EQ(is_sorted_until(policy, x.begin(), x.end()),
                      std::is_sorted_until(x.begin(), x.end()))
                << message;
            EXPECT_EQ(is_sorted(policy, x.begin(), x.end()), std::is_sorted(x.begin(), x.end()))
                << message;
            EXPECT_EQ(is_sorted_until(policy, x.begin(), x.end(), greater{}),
                      std::is_sorted_until(x.begin(), x.end(), greater{}))
                << message;
            EXPECT_EQ(is_heap_until(policy, x.begin(), x.end()),
                      std::is_heap_until(x.begin(), x.end()))
                << message;
            EXPECT_EQ(is_heap(policy, x.begin(), x.end()), std::is_heap(x.begin(), x.end()))
                << message;
            EXPECT_EQ(is_heap_until(policy, x.begin(), x.end(), greater{}),
                      std::is_heap_until(x.begin(), x.end(), greater{}))
                << message;
            EXPECT_EQ(is_partitioned(policy, x.begin(), x.end(), is_less_than_two),
                      std::is_partitioned(x.begin(), x.end(), is_less_than_two))
                << message;
        });
    }
};

TYPED_TEST_SUITE(SearchOrder, few_types);

TYPED_TEST(SearchOrder, is_that_of_the_standard_for_all_sizes) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = this->random.template of<TypeParam>(size, 100);
        this->check(x, "random");
        std::ranges::sort(x);
        this->check(x, "sorted");
        for (const std::size_t at : {size / 3, size - 1}) {
            if (at >= size) {
                continue;
            }
            auto broken = x;
            broken[at] = TypeParam{0};
            this->check(broken, "sorted but for one value");
        }
        std::ranges::make_heap(x);
        this->check(x, "heap");
        if (size > 2) {
            x[size - 1] = TypeParam{101};
            this->check(x, "heap but for the last value");
        }
        this->check(std::vector<TypeParam>(size, TypeParam{2}), "equal");
    }
}

using SearchOrderOf = EveryExecutionPolicy;

TEST_F(SearchOrderOf, unsorted_neighbours_is_found_wherever_they_are) {
    for (std::size_t at = 1; at < 100'000; at += 7919) {
        auto x = counting(100'000);
        std::swap(x[at], x[at - 1]);
        const auto expected = x.begin() + static_cast<std::ptrdiff_t>(at);
        under_policies([&](const auto& policy, const std::string& name) {
            EXPECT_EQ(is_sorted_until(policy, x.begin(), x.end()), expected) << name;
            EXPECT_FALSE(is_sorted(policy, x.begin(), x.end())) << name << ", " << at;
        });
    }
}

TEST(SearchOrderInThreads, is_never_found_in_an_unsorted_range) {
    auto x = counting(100'000);
    for (std::size_t at = 1; at < x.size(); at += 97) {
        std::swap(x[at], x[at - 1]);
        EXPECT_FALSE(is_sorted(execution::par, x.begin(), x.end())) << at;
        std::swap(x[at], x[at - 1]);
    }
}

TEST_F(SearchOrderOf, values_by_a_predicate_is_checked) {
    auto x = counting(100'000);
    for (std::size_t i = 1; i < x.size(); i += 2) {
        std::swap(x[i], x[i - 1]);
    }
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_TRUE(is_sorted(policy, x.begin(), x.end(), has_lower_tens)) << name;
        EXPECT_FALSE(is_heap(policy, x.begin(), x.end(), has_lower_tens)) << name;
        EXPECT_TRUE(is_heap(policy, x.begin(), x.begin() + 10, has_lower_tens)) << name;
    });
}

TEST_F(SearchOrderOf, nan_is_equivalent_to_every_value) {
    std::vector<float> x(20'000, 4);
    x[5] = x[18'000] = std::numeric_limits<float>::quiet_NaN();
    x[19'000] = std::numeric_limits<float>::infinity();
    x[19'500] = -std::numeric_limits<float>::infinity();
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(is_sorted_until(policy, x.begin(), x.end()) - x.begin(), 19'001) << name;
        EXPECT_EQ(is_heap_until(policy, x.begin(), x.end()) - x.begin(), 19'000) << name;
    });
}

TEST(SearchOrderOfForwardIterators, is_checked) {
    const auto values = counting(40'000);
    std::forward_list<std::int32_t> x(values.begin(), values.end());
    const auto check = [&](const auto& policy) {
        EXPECT_TRUE(is_sorted(policy, x.begin(), x.end()));
        EXPECT_TRUE(is_partitioned(policy, x.begin(), x.end(), is_less_than_two));
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(SearchOrderOf, a_buffer_is_an_iterator_into_it) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{9, 1, 2, 2, 1};
        const opencl::buffer<std::int32_t> values{policy.queue(), x};
        EXPECT_EQ(is_sorted_until(policy, begin(values) + 1, end(values)), begin(values) + 4);
        EXPECT_EQ(is_heap_until(policy, begin(values), end(values)), begin(values) + 3);
        EXPECT_FALSE(is_partitioned(policy, begin(values) + 1, end(values), is_less_than_two));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
