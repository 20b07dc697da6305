// SPDX-License-Identifier: Apache-2.0
// min_element, max_element and minmax_element equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/min_element.hpp"
#include "pointsman/algorithm/minmax_element.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class Extremum : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    void check_all(const std::vector<T>& x) {
        const auto both = std::minmax_element(x.begin(), x.end());
        const auto first_greatest = std::max_element(x.begin(), x.end());
        this->under_policies([&](const auto& policy, const std::string& name) {
            const std::string message =
                name + ", size " + std::to_string(x.size()) + ", " + random.seed();
            EXPECT_EQ(min_element(policy, x.begin(), x.end()), both.first) << message;
            EXPECT_EQ(max_element(policy, x.begin(), x.end()), first_greatest) << message;
            EXPECT_EQ(minmax_element(policy, x.begin(), x.end()), both) << message;
        });
    }
};

TYPED_TEST_SUITE(Extremum, few_types);

TYPED_TEST(Extremum, is_at_the_index_of_the_standard_algorithm) {
    for (const std::size_t size : algorithm_sizes) {
        this->check_all(this->random.template of<TypeParam>(size));
    }
}

TYPED_TEST(Extremum, of_equal_values_is_the_first_or_the_last) {
    for (const std::size_t size : algorithm_sizes) {
        this->check_all(this->random.template of<TypeParam>(size, 2));
        this->check_all(std::vector<TypeParam>(size, TypeParam{7}));
    }
}

using ExtremumOf = EveryExecutionPolicy;

TEST_F(ExtremumOf, values_beside_a_nan_is_one_of_them) {
    std::vector<float> x = random_values{}.of<float>(65'537);
    for (std::size_t i = 0; i < x.size(); i += 9) {
        x[i] = std::numeric_limits<float>::quiet_NaN();
    }
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_LT(min_element(policy, x.begin(), x.end()) - x.begin(), std::ssize(x)) << name;
        EXPECT_LT(max_element(policy, x.begin(), x.end()) - x.begin(), std::ssize(x)) << name;
    });
}

POINTSMAN_FUNCTION(bool, is_nearer, (int32_t a, int32_t b), { return a % 1000 < b % 1000; });

TEST(ExtremumOnTheHost, leaves_out_nan_that_is_not_at_the_beginning) {
    const auto check_under = [](const auto& policy) {
        for (const std::size_t size : {3U, 100U, 200'000U}) {
            std::vector<double> x(size, std::numeric_limits<double>::quiet_NaN());
            x[0] = 1;
            x[size - 1] = 0;
            EXPECT_EQ(min_element(policy, x.begin(), x.end()), x.end() - 1) << size;
            EXPECT_EQ(max_element(policy, x.begin(), x.end()), x.begin()) << size;
        }
    };
    check_under(execution::seq);
    check_under(execution::par);
}

TEST(ExtremumOnTheHost, is_the_same_in_several_threads_for_a_costly_order) {
    std::vector<std::uint32_t> x(30'000);
    std::iota(x.begin(), x.end(), 0U);
    const auto compare = [](std::uint32_t a, std::uint32_t b) {
        double wasted = 0;
        for (std::uint32_t i = 0; i < 50; ++i) {
            wasted += std::sqrt(static_cast<double>(a + b + i));
        }
        return wasted < 0 || a % 1000 < b % 1000;
    };
    EXPECT_EQ(*min_element(execution::par, x.begin(), x.end(), compare), 0U);
    EXPECT_EQ(*max_element(execution::par, x.begin(), x.end(), compare), 999U);
    const auto [least, greatest] = minmax_element(execution::par, x.begin(), x.end(), compare);
    EXPECT_EQ(*least, 0U);
    EXPECT_EQ(*greatest, 29'999U);
}

TEST(ExtremumOnTheHost, takes_a_function_that_changes_its_own_members) {
    const std::vector<int> x{3, 1, 4, 1, 5};
    auto compare = [calls = 0](int a, int b) mutable { return ++calls, a < b; };
    EXPECT_EQ(min_element(execution::seq, x.begin(), x.end(), compare), x.begin() + 1);
    EXPECT_EQ(max_element(execution::par, x.begin(), x.end(), compare), x.begin() + 4);
    EXPECT_EQ(minmax_element(execution::unseq, x.begin(), x.end(), compare),
              (std::pair{x.begin() + 1, x.begin() + 4}));
}

TEST_F(ExtremumOf, a_user_defined_order_is_found) {
    random_values random;
    const auto x = random.of<std::int32_t>(100'000);
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(min_element(policy, x.begin(), x.end(), is_nearer),
                  std::min_element(x.begin(), x.end(), is_nearer))
            << name << ", " << random.seed();
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(ExtremumOf, a_buffer_is_an_iterator_into_it) {
    on_every_device([&](const auto& policy) {
        const std::vector<float> x{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 9};
        const opencl::buffer<float> values{policy.queue(), x};
        EXPECT_EQ(min_element(policy, begin(values), end(values)), begin(values) + 1);
        EXPECT_EQ(min_element(policy, begin(values) + 2, end(values)), begin(values) + 3);
        EXPECT_EQ(minmax_element(policy, begin(values), end(values)).second, begin(values) + 11);
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
