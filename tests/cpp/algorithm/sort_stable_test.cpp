// SPDX-License-Identifier: Apache-2.0
// stable_sort and sort_by_key keep the order of equivalent values.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class StableSort : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size) const {
        return policy + ", size " + std::to_string(size) + ", " + random.seed();
    }
};

TYPED_TEST_SUITE(StableSort, few_types);

TYPED_TEST(StableSort, equals_the_standard_algorithm) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        auto expected = x;
        std::ranges::stable_sort(expected, std::greater<>{});
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto sorted = x;
            stable_sort(policy, sorted.begin(), sorted.end(), greater{});
            EXPECT_EQ(sorted, expected) << this->message(name, size);
        });
    }
}

TYPED_TEST(StableSort, by_keys_moves_each_value_with_its_key_and_keeps_their_order) {
    for (const std::size_t size : algorithm_sizes) {
        const auto keys = this->random.template of<TypeParam>(size, 100);
        std::vector<std::uint32_t> indices(size);
        std::iota(indices.begin(), indices.end(), 0U);
        auto expected = indices;
        std::ranges::stable_sort(expected, {}, [&](std::uint32_t i) { return keys[i]; });
        auto sorted_keys = keys;
        std::ranges::sort(sorted_keys);
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto k = keys;
            auto values = indices;
            sort_by_key(policy, k.begin(), k.end(), values.begin());
            EXPECT_EQ(k, sorted_keys) << this->message(name, size);
            EXPECT_EQ(values, expected) << this->message(name, size);
        });
    }
}

using StableSortOf = EveryExecutionPolicy;

TEST_F(StableSortOf, zeros_keeps_the_order_of_their_signs_and_puts_nan_last) {
    std::vector<float> x(30'000);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = i % 7 == 0   ? std::numeric_limits<float>::quiet_NaN()
               : i % 5 == 0 ? -0.0F
               : i % 3 == 0 ? 0.0F
                            : static_cast<float>(i % 4) - 1.5F;
    }
    std::vector<bool> expected;
    for (const float value : x) {
        if (value == 0) {
            expected.push_back(std::signbit(value));
        }
    }
    under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = x;
        stable_sort(policy, sorted.begin(), sorted.end());
        std::vector<bool> signs;
        for (const float value : sorted) {
            if (value == 0) {
                signs.push_back(std::signbit(value));
            }
        }
        EXPECT_EQ(signs, expected) << name;
        EXPECT_TRUE(std::isnan(sorted.back())) << name;
    });
}

TEST(HostSortByKey, moves_values_that_cannot_be_copied) {
    std::vector<std::string> keys{"b", "c", "a"};
    std::vector<std::unique_ptr<int>> values;
    for (const int value : {2, 3, 1}) {
        values.push_back(std::make_unique<int>(value));
    }
    sort_by_key(execution::par, keys.begin(), keys.end(), values.begin());
    EXPECT_EQ(keys, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(*values[0] + 10 * *values[1] + 100 * *values[2], 321);
}

TEST(HostSortByKey, moves_values_that_cannot_be_copied_along_with_numbers) {
    std::vector<int> keys;
    std::vector<std::unique_ptr<int>> values;
    for (int i = 0; i < 1000; ++i) {
        keys.push_back(7 * i % 1000);
        values.push_back(std::make_unique<int>(keys.back()));
    }
    sort_by_key(execution::par_unseq, keys.begin(), keys.end(), values.begin());
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(keys[static_cast<std::size_t>(i)], i);
        ASSERT_EQ(*values[static_cast<std::size_t>(i)], i);
    }
}

/// Keys of every kind of number, with many equal ones.
template <class T>
struct number_keys {
    /// Zeros of both signs and NaN of several bits are among floating keys.
    static std::vector<T> keys(std::size_t size) {
        std::vector<T> made;
        for (std::size_t i = 0; i < size; ++i) {
            const auto number = static_cast<int>(i * 7919 % 101) - 50;
            made.push_back(
                static_cast<T>(static_cast<float>(std::is_signed_v<T> ? number : number + 50)));
            if (std::numeric_limits<T>::is_specialized && i % 17 < 2) {
                made.back() =
                    i % 17 == 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
            }
            if constexpr (!std::numeric_limits<T>::is_integer) {
                const T nan = std::numeric_limits<T>::quiet_NaN();
                made.back() = i % 23 == 0   ? -std::numeric_limits<T>::infinity()
                              : i % 11 == 0 ? nan
                              : i % 13 == 0 ? -nan
                              : i % 5 == 0  ? T(-0.0F)
                                            : made.back();
            }
        }
        return made;
    }
    /// Sorts by the library's order and by the standard algorithm; NaN comes last.
    template <class Compare>
    static void check(std::size_t size, const Compare& compare) {
        const auto x = keys(size);
        std::vector<std::uint32_t> expected(size);
        std::iota(expected.begin(), expected.end(), 0U);
        std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
            return compare(x[a], x[b]) || (x[b] != x[b] && x[a] == x[a]);
        });
        const auto check_under = [&](const auto& policy) {
            auto sorted = x;
            std::vector<std::uint32_t> indices(size);
            std::iota(indices.begin(), indices.end(), 0U);
            sort_by_key(policy, sorted.begin(), sorted.end(), indices.begin(), compare);
            EXPECT_EQ(indices, expected) << size;
            for (std::size_t i = 0; i < size; ++i) {
                const bool has_its_bits = std::memcmp(&sorted[i], &x[indices[i]], sizeof(T)) == 0;
                ASSERT_TRUE(has_its_bits) << i;
            }
        };
        check_under(execution::par);
        // Of each size that is sorted in its own way.
        if constexpr (sizeof(T) == 2 || std::same_as<T, float> || std::same_as<T, std::uint64_t>) {
            check_under(execution::seq);
            check_under(execution::unseq);
            check_under(execution::par_unseq);
        }
    }
};
template <class T>
class HostSortByKeyOf : public testing::Test {};
#ifdef POINTSMAN_TEST_SANITIZED
using key_types = testing::Types<std::int32_t, double>;
#else
using key_types = testing::Types<char, signed char, std::uint16_t, std::int32_t, std::uint64_t,
                                 long long, float, double>;
#endif
TYPED_TEST_SUITE(HostSortByKeyOf, key_types);

TYPED_TEST(HostSortByKeyOf, numbers_keeps_the_order_of_equal_ones) {
    for (const std::size_t size : {0U, 1U, 3U, 100U, 5'000U, 140'000U}) {
        number_keys<TypeParam>::check(size, less{});
        number_keys<TypeParam>::check(size, greater{});
    }
}

#ifdef POINTSMAN_HAS_HALF
TEST(HostSortByKey, keeps_the_order_of_equal_numbers_of_half_precision) {
    number_keys<half>::check(5'000, less{});
    number_keys<half>::check(5'000, greater{});
}
#endif

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(StableSortOf, buffers_moves_values_of_another_type_on_the_device) {
    on_every_device([&](const auto& policy) {
        const std::vector<float> x{3, -1, 2};
        const std::vector<double> y{30, -10, 20};
        opencl::buffer<float> keys{policy.queue(), x};
        opencl::buffer<double> values{policy.queue(), y};
        sort_by_key(policy, begin(keys), end(keys), begin(values), greater{});
        std::vector<double> got(3);
        values.read(policy.queue(), got);
        EXPECT_EQ(got, (std::vector<double>{30, 20, -10}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
