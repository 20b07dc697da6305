// SPDX-License-Identifier: Apache-2.0
// Searches for values, neighbours and differences equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/adjacent_find.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/equal.hpp"
#include "pointsman/algorithm/find.hpp"
#include "pointsman/algorithm/find_if_not.hpp"
#include "pointsman/algorithm/lexicographical_compare.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#include "pointsman/execution/auto_policy.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, is_not_two, (double x), { return x != 2; });
POINTSMAN_FUNCTION(bool, rises_far, (double a, double b), { return a + 5 < b; });
POINTSMAN_FUNCTION(bool, is_one_below, (double a, double b), { return a + 1 == b; });
POINTSMAN_FUNCTION(bool, have_same_tens, (int32_t a, int32_t b), { return a / 10 == b / 10; });

constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

template <class T>
class SearchValues : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size) const {
        return policy + ", size " + std::to_string(size) + ", " + random.seed();
    }
};

TYPED_TEST_SUITE(SearchValues, few_types);

TYPED_TEST(SearchValues, equal_to_a_value_are_counted_and_found) {
    for (const std::size_t size : algorithm_sizes) {
        auto x = this->random.template of<TypeParam>(size, 30);
        if (size > 40) {
            x[size - 3] = 77;
        }
        this->under_policies([&](const auto& policy, const std::string& name) {
            for (const int sought : {2, 77, 78}) {
                EXPECT_EQ(count(policy, x.begin(), x.end(), sought),
                          std::count(x.begin(), x.end(), static_cast<TypeParam>(sought)))
                    << this->message(name, size);
                EXPECT_EQ(find(policy, x.begin(), x.end(), sought),
                          std::find(x.begin(), x.end(), static_cast<TypeParam>(sought)))
                    << this->message(name, size);
            }
        });
    }
}

TYPED_TEST(SearchValues, without_a_property_and_neighbours_with_one_are_found) {
    for (const std::size_t size : algorithm_sizes) {
        std::vector<TypeParam> x(size, TypeParam{3});
        for (const std::size_t at : {size, std::size_t{0}, size / 2, size - 1}) {
            if (at < size) {
                x[at] = TypeParam{2};
            }
            const auto expected = std::find_if_not(x.begin(), x.end(), is_not_two);
            auto rising = x;
            if (at < size) {
                rising[at] = TypeParam{100};
            }
            const auto rise = std::adjacent_find(rising.begin(), rising.end(), rises_far);
            this->under_policies([&](const auto& policy, const std::string& name) {
                EXPECT_EQ(find_if_not(policy, x.begin(), x.end(), is_not_two), expected)
                    << this->message(name, size);
                EXPECT_EQ(adjacent_find(policy, rising.begin(), rising.end(), rises_far), rise)
                    << this->message(name, size);
                EXPECT_EQ(adjacent_find(policy, x.begin(), x.end()),
                          std::adjacent_find(x.begin(), x.end()))
                    << this->message(name, size);
            });
            std::ranges::fill(x, TypeParam{3});
        }
    }
}

TYPED_TEST(SearchValues, that_differ_decide_mismatch_equal_and_order) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        for (const std::size_t at : {size, size / 2}) {
            auto y = x;
            if (at < size) {
                y[at] = y[at] == TypeParam{5} ? TypeParam{6} : TypeParam{5};
            }
            for (const std::size_t length : {size, size / 2}) {
                const auto end = y.begin() + static_cast<std::ptrdiff_t>(std::min(length, size));
                this->under_policies([&](const auto& policy, const std::string& name) {
                    EXPECT_EQ(mismatch(policy, x.begin(), x.end(), y.begin(), end),
                              std::mismatch(x.begin(), x.end(), y.begin(), end))
                        << this->message(name, size);
                    EXPECT_EQ(equal(policy, x.begin(), x.end(), y.begin(), end),
                              std::equal(x.begin(), x.end(), y.begin(), end))
                        << this->message(name, size);
                    EXPECT_EQ(lexicographical_compare(policy, x.begin(), x.end(), y.begin(), end),
                              std::lexicographical_compare(x.begin(), x.end(), y.begin(), end))
                        << this->message(name, size);
                    EXPECT_EQ(lexicographical_compare(policy, y.begin(), end, x.begin(), x.end()),
                              std::lexicographical_compare(y.begin(), end, x.begin(), x.end()))
                        << this->message(name, size);
                });
            }
            this->under_policies([&](const auto& policy, const std::string& name) {
                EXPECT_EQ(mismatch(policy, x.begin(), x.end(), y.begin()),
                          std::mismatch(x.begin(), x.end(), y.begin()))
                    << this->message(name, size);
                EXPECT_EQ(equal(policy, x.begin(), x.end(), y.begin()), at >= size)
                    << this->message(name, size);
            });
        }
    }
}

using SearchFor = EveryExecutionPolicy;

TEST_F(SearchFor, differences_uses_the_given_predicate_or_order) {
    const auto x = counting(40'000);
    auto y = x;
    y[30'001] = 30'009;
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_TRUE(equal(policy, x.begin(), x.end(), y.begin(), have_same_tens)) << name;
        EXPECT_TRUE(equal(policy, x.begin(), x.end(), y.begin(), y.end(), have_same_tens)) << name;
        EXPECT_EQ(mismatch(policy, x.begin(), x.end(), y.begin(), have_same_tens).first, x.end());
        EXPECT_TRUE(equal(policy, x.begin(), x.end() - 1, x.begin() + 1, is_one_below)) << name;
        EXPECT_FALSE(equal(policy, x.begin() + 1, x.end(), x.begin(), is_one_below)) << name;
        EXPECT_TRUE(
            lexicographical_compare(policy, y.begin(), y.end(), x.begin(), x.end(), greater{}))
            << name;
    });
}

TEST_F(SearchFor, a_nan_finds_none_and_a_zero_finds_both_zeros) {
    std::vector<float> x(20'000, 1);
    x[3] = x[17'000] = no_value;
    x[18'000] = -0.0f;
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(find(policy, x.begin(), x.end(), no_value), x.end()) << name;
        EXPECT_EQ(count(policy, x.begin(), x.end(), no_value), 0) << name;
        EXPECT_EQ(find(policy, x.begin(), x.end(), 0.0f) - x.begin(), 18'000) << name;
        EXPECT_EQ(mismatch(policy, x.begin(), x.end(), x.begin()).first - x.begin(), 3) << name;
        const std::vector<float> y(20'000, 1);
        EXPECT_EQ(lexicographical_compare(policy, x.begin(), x.end(), y.begin(), y.end()), true)
            << name << ": NaN is passed over, and -0 is below 1";
    });
}

TEST_F(SearchFor, a_value_of_another_type_compares_as_cpp_does) {
    const std::vector<std::uint32_t> x{7, 0xffffffff, 2};
    const std::vector<std::uint16_t> small{7, 0xffff, 2};
    const std::vector<std::int32_t> y{7, 2, 3};
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(find(policy, x.begin(), x.end(), -1) - x.begin(), 1) << name;
        EXPECT_EQ(find(policy, small.begin(), small.end(), -1), small.end()) << name;
        EXPECT_EQ(find(policy, y.begin(), y.end(), 2.5), y.end()) << name;
        EXPECT_EQ(count(policy, y.begin(), y.end(), 2.0f), 1) << name;
    });
}

TEST_F(SearchFor, values_under_the_auto_policy_gives_the_same) {
    const auto x = counting(1000);
    for (int i = 0; i < 40; ++i) {
        EXPECT_EQ(*find(execution::auto_, x.begin(), x.end(), 500), 500);
        EXPECT_TRUE(equal(execution::auto_, x.begin(), x.end(), x.begin(), x.end()));
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(SearchFor, values_of_a_buffer_gives_iterators_into_it) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{3, 1, 4, 1, 5, 9, 9, 6};
        const opencl::buffer<std::int32_t> values{policy.queue(), x};
        EXPECT_EQ(find(policy, begin(values) + 2, end(values), 1), begin(values) + 3);
        EXPECT_EQ(adjacent_find(policy, begin(values) + 1, end(values)), begin(values) + 5);
        EXPECT_EQ(mismatch(policy, begin(values), end(values), x.begin()).second, x.end());
        EXPECT_EQ(count(policy, begin(values) + 2, end(values), 1), 1);
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
