// SPDX-License-Identifier: Apache-2.0
// Sorts by a function of two numbers equal the standard's under parallel and device policies.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/structure.hpp"
#include "random_values.hpp"
#include "sorted_values.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/async.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman::test {
namespace {

template <class T>
class SortByFunction : public ParallelAndDevicePolicies {
  protected:
    random_values random;
};

/// GoogleTest needs types that have names in the standard library, which `half` has not.
template <class... Ts>
using named_types = testing::Types<std::type_identity<Ts>...>;
using sorted_types = named_types<float, std::int32_t
#ifndef POINTSMAN_TEST_SANITIZED
                                 ,
                                 std::int8_t, std::int16_t, std::int64_t, double
#endif
#ifdef POINTSMAN_HAS_HALF
                                 ,
                                 half
#endif
                                 >;
TYPED_TEST_SUITE(SortByFunction, sorted_types);

TYPED_TEST(SortByFunction, keeps_the_order_of_equivalent_values) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = few_values<typename TypeParam::type>(this->random, size);
        auto rising = x;
        std::stable_sort(rising.begin(), rising.end(), has_less_tens);
        auto falling = x;
        std::stable_sort(falling.begin(), falling.end(), has_more_tens);
        this->under_policies([&](const auto& policy, const std::string& name) {
            SCOPED_TRACE(name + ", size " + std::to_string(size) + ", " + this->random.seed());
            auto sorted = x;
            stable_sort(policy, sorted.begin(), sorted.end(), has_less_tens);
            EXPECT_TRUE(sorted == rising);
            sorted = x;
            stable_sort(policy, sorted.begin(), sorted.end(), has_more_tens);
            EXPECT_TRUE(sorted == falling);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
TYPED_TEST(SortByFunction, sorts_the_middle_of_a_buffer_alone) {
    for (const std::size_t size : sizes_of_parts) {
        const auto x = few_values<typename TypeParam::type>(this->random, size + 8);
        auto expected = x;
        std::stable_sort(expected.begin() + 3, expected.end() - 5, has_less_tens);
        this->on_every_device([&](const auto& policy) {
            const opencl::buffer<typename TypeParam::type> buffer{policy.queue(), x};
            const auto first = begin(buffer) + 3;
            stable_sort(policy, first, first + std::ptrdiff_t(size), has_less_tens);
            EXPECT_TRUE(values_of(policy.queue(), buffer) == expected)
                << "size " << size << ", " << this->random.seed();
        });
    }
}
#endif

TYPED_TEST(SortByFunction, moves_values_with_their_keys) {
    for (const std::size_t size : algorithm_sizes) {
        const auto keys = few_values<typename TypeParam::type>(this->random, size);
        auto expected = indices(size);
        std::ranges::stable_sort(expected, [&](std::int32_t a, std::int32_t b) {
            return has_less_tens(keys[std::size_t(a)], keys[std::size_t(b)]);
        });
        auto expected_keys = keys;
        std::stable_sort(expected_keys.begin(), expected_keys.end(), has_less_tens);
        this->under_policies([&](const auto& policy, const std::string& name) {
            SCOPED_TRACE(name + ", size " + std::to_string(size) + ", " + this->random.seed());
            auto sorted = keys;
            auto moved = indices(size);
            sort_by_key(policy, sorted.begin(), sorted.end(), moved.begin(), has_less_tens);
            EXPECT_TRUE(sorted == expected_keys);
            EXPECT_EQ(moved, expected);
        });
    }
}

using SortByComparison = ParallelAndDevicePolicies;

TEST_F(SortByComparison, leaves_no_value_out_of_order) {
    random_values random;
    const auto x = random.of<std::int32_t>(100'000);
    auto expected = x;
    std::ranges::sort(expected);
    under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = x;
        sort(policy, sorted.begin(), sorted.end(), has_less_tens);
        EXPECT_TRUE(std::ranges::is_sorted(sorted, has_less_tens)) << name << random.seed();
        std::ranges::sort(sorted);
        EXPECT_EQ(sorted, expected) << name << random.seed();
    });
}

TEST_F(SortByComparison, of_sorted_and_reversed_values_is_sorted) {
    const auto rising = indices(50'000);
    std::vector<std::int32_t> falling(rising.rbegin(), rising.rend());
    under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = rising;
        stable_sort(policy, sorted.begin(), sorted.end(), has_less_tens);
        EXPECT_EQ(sorted, rising) << name;
        sorted = falling;
        stable_sort(policy, sorted.begin(), sorted.end(), has_more_tens);
        EXPECT_EQ(sorted, falling) << name;
    });
}

TEST_F(SortByComparison, puts_the_least_values_first) {
    random_values random;
    for (const std::size_t size : {2, 33, 1000, 20'000}) {
        const auto x = few_values<std::int32_t>(random, size, 100'000);
        auto expected = x;
        std::ranges::sort(expected, has_less_tens);
        const auto tens = [](std::int32_t a, std::int32_t b) { return a / 10 == b / 10; };
        const auto half_of = static_cast<std::ptrdiff_t>(size / 2);
        under_policies([&](const auto& policy, const std::string& name) {
            SCOPED_TRACE(name + ", size " + std::to_string(size) + ", " + random.seed());
            auto y = x;
            partial_sort(policy, y.begin(), y.begin() + half_of, y.end(), has_less_tens);
            EXPECT_TRUE(std::equal(y.begin(), y.begin() + half_of, expected.begin(), tens));
            y = x;
            nth_element(policy, y.begin(), y.begin() + half_of, y.end(), has_less_tens);
            EXPECT_TRUE(tens(y[size / 2], expected[size / 2]));
            y.assign(size / 2, 0);
            EXPECT_EQ(
                partial_sort_copy(policy, x.begin(), x.end(), y.begin(), y.end(), has_less_tens),
                y.end());
            EXPECT_TRUE(std::equal(y.begin(), y.end(), expected.begin(), tens));
        });
    }
}
#ifndef POINTSMAN_WITHOUT_OPENCL
TEST_F(SortByComparison, can_be_asynchronous) {
    random_values random;
    const auto x = few_values<float>(random, 70'000);
    auto expected = x;
    std::ranges::stable_sort(expected, has_less_tens);
    on_every_device([&](const auto& policy) {
        const opencl::buffer<float> values{policy.queue(), x};
        const opencl::buffer<float> others{policy.queue(), x};
        (void)stable_sort_async(policy, begin(values), end(values), has_less_tens);
        stable_sort_async(policy, begin(others), end(others), has_less_tens).wait();
        EXPECT_EQ(values_of(policy.queue(), values), expected) << random.seed();
        EXPECT_EQ(values_of(policy.queue(), others), expected) << random.seed();
    });
}

POINTSMAN_FUNCTION(bool, is_always_first, (int32_t a, int32_t b), { return a == a && b == b; });
POINTSMAN_FUNCTION(bool, is_first_by_chance, (int32_t a, int32_t b), {
    uint32_t bits = ((uint32_t)a * 2654435761u) ^ ((uint32_t)b * 40503u);
    bits ^= bits >> 15;
    return (bits * 2246822519u) >> 31;
});

// The sorted values are unspecified.
TEST_F(SortByComparison, by_a_function_that_is_no_order_ends_and_writes_only_to_the_range) {
    for (const std::size_t size : sizes_of_parts) {
        auto x = indices(size + 2);
        on_every_device([&](const auto& policy) {
            const auto check = [&](const auto& compare) {
                const opencl::buffer<std::int32_t> values{policy.queue(), x};
                const auto first = begin(values) + 1;
                sort(policy, first, first + std::ptrdiff_t(size), compare);
                const auto sorted = values_of(policy.queue(), values);
                EXPECT_EQ(sorted.front(), x.front());
                EXPECT_EQ(sorted.back(), x.back());
                return sorted;
            };
            auto sorted = check(is_always_first);
            std::ranges::sort(sorted);
            EXPECT_EQ(sorted, x) << "size " << size;
            check(is_first_by_chance);
        });
    }
}

POINTSMAN_STRUCT(wide_row, {
    double a;
    double b;
    double c;
    double d;
    double e;
    double f;
    double g;
    double h;
});

TEST_F(SortByComparison, has_parts_that_fit_in_local_memory) {
    using detail::merge_tile_within;
    EXPECT_EQ((merge_tile_within<float, float, float>(256, 32'768).items), 256u);
    EXPECT_EQ((merge_tile_within<float, float, float>(256, 15'000).items), 128u);
    EXPECT_EQ((merge_tile_within<wide_row, wide_row, wide_row>(256, 16'384).items), 128u);
    EXPECT_EQ((merge_tile_within<wide_row, wide_row, wide_row>(256, 1).items), 1u);
}
#endif

}  // namespace
}  // namespace pointsman::test
