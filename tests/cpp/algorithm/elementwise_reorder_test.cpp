// SPDX-License-Identifier: Apache-2.0
// Reversals, rotations, shifts, swaps and adjacent_difference equal the standard's under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "counting.hpp"
#include "every_execution_policy.hpp"
#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/reverse_copy.hpp"
#include "pointsman/algorithm/rotate.hpp"
#include "pointsman/algorithm/rotate_copy.hpp"
#include "pointsman/algorithm/shift_left.hpp"
#include "pointsman/algorithm/shift_right.hpp"
#include "pointsman/algorithm/swap_ranges.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class ElementwiseReorder : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    std::string message(const std::string& policy, std::size_t size, std::ptrdiff_t n = 0) const {
        return policy + ", size " + std::to_string(size) + ", n " + std::to_string(n) + ", " +
               random.seed();
    }
};

TYPED_TEST_SUITE(ElementwiseReorder, few_types);

TYPED_TEST(ElementwiseReorder, reverses_and_swaps_all_values) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        const auto y = this->random.template of<TypeParam>(size);
        const std::vector<TypeParam> reversed(x.rbegin(), x.rend());
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto out = x;
            reverse(policy, out.begin(), out.end());
            EXPECT_EQ(out, reversed) << this->message(name, size);
            std::vector<TypeParam> copy(size);
            EXPECT_EQ(reverse_copy(policy, x.begin(), x.end(), copy.begin()), copy.end());
            EXPECT_EQ(copy, reversed) << this->message(name, size);
            auto other = y;
            EXPECT_EQ(swap_ranges(policy, out.begin(), out.end(), other.begin()), other.end());
            EXPECT_EQ(out, y) << this->message(name, size);
            EXPECT_EQ(other, reversed) << this->message(name, size);
        });
    }
}

TYPED_TEST(ElementwiseReorder, rotates_by_any_number_of_places) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        for (const std::size_t places : {std::size_t{0}, size / 3, size - size / 4, size}) {
            const auto n = static_cast<std::ptrdiff_t>(places);
            auto expected = x;
            std::rotate(expected.begin(), expected.begin() + n, expected.end());
            this->under_policies([&](const auto& policy, const std::string& name) {
                auto out = x;
                EXPECT_EQ(rotate(policy, out.begin(), out.begin() + n, out.end()), out.end() - n)
                    << this->message(name, size, n);
                EXPECT_EQ(out, expected) << this->message(name, size, n);
                std::vector<TypeParam> copy(size);
                EXPECT_EQ(rotate_copy(policy, x.begin(), x.begin() + n, x.end(), copy.begin()),
                          copy.end());
                EXPECT_EQ(copy, expected) << this->message(name, size, n);
            });
        }
    }
}

TYPED_TEST(ElementwiseReorder, shifts_by_any_number_of_places) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        const auto count = static_cast<std::ptrdiff_t>(size);
        for (const std::ptrdiff_t n :
             {std::ptrdiff_t{-1}, std::ptrdiff_t{0}, std::ptrdiff_t{1}, std::ptrdiff_t{20'001},
              count / 3, count - count / 4, count, count + 1}) {
            const std::ptrdiff_t kept = n <= 0 ? count : std::max(count - n, std::ptrdiff_t{0});
            this->under_policies([&](const auto& policy, const std::string& name) {
                const std::string message = this->message(name, size, n);
                auto out = x;
                EXPECT_EQ(shift_left(policy, out.begin(), out.end(), n), out.begin() + kept)
                    << message;
                EXPECT_TRUE(std::equal(out.begin(), out.begin() + kept, x.end() - kept)) << message;
                out = x;
                EXPECT_EQ(shift_right(policy, out.begin(), out.end(), n), out.end() - kept)
                    << message;
                EXPECT_TRUE(std::equal(out.end() - kept, out.end(), x.begin())) << message;
            });
        }
    }
}

TYPED_TEST(ElementwiseReorder, writes_the_differences_of_neighbours) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 1000);
        std::vector<TypeParam> expected(size);
        std::adjacent_difference(x.begin(), x.end(), expected.begin());
        std::vector<TypeParam> least(size);
        std::adjacent_difference(x.begin(), x.end(), least.begin(), minimum{});
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<TypeParam> out(size);
            EXPECT_EQ(adjacent_difference(policy, x.begin(), x.end(), out.begin()), out.end());
            EXPECT_EQ(out, expected) << this->message(name, size);
            adjacent_difference(policy, x.begin(), x.end(), out.begin(), minimum{});
            EXPECT_EQ(out, least) << this->message(name, size);
        });
    }
}

TEST(ReorderingForwardIterators, equals_the_standard) {
    const auto values = counting(40'000);
    const auto check = [&](const auto& policy) {
        std::list<std::int32_t> x(values.begin(), values.end());
        reverse(policy, x.begin(), x.end());
        EXPECT_EQ(x.front(), 39'999);
        std::forward_list<std::int32_t> y(values.begin(), values.end());
        EXPECT_EQ(*rotate(policy, y.begin(), std::next(y.begin(), 5), y.end()), 0);
        EXPECT_EQ(y.front(), 5);
        shift_left(policy, y.begin(), y.end(), 20'000);
        EXPECT_EQ(y.front(), 20'005);
        swap_ranges(policy, x.begin(), x.end(), y.begin());
        EXPECT_EQ(x.front(), 20'005);
        EXPECT_EQ(y.front(), 39'999);
        EXPECT_EQ(*shift_right(policy, x.begin(), x.end(), 20'000), 20'005);
        std::vector<std::int32_t> differences(values.size());
        adjacent_difference(policy, y.begin(), y.end(), differences.begin());
        EXPECT_EQ(differences.back(), -1);
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

TEST(ReorderingStrings, moves_them) {
    const auto check = [&](const auto& policy) {
        std::vector<std::string> x(50'000, "a string that is too long for the small buffer");
        x[0] = "first";
        rotate(policy, x.begin(), x.begin() + 20'000, x.end());
        EXPECT_EQ(x[30'000], "first");
        EXPECT_EQ(*shift_right(policy, x.begin() + 30'000, x.end(), 17'000), "first");
        shift_left(policy, x.begin(), x.end(), 17'000);
        EXPECT_EQ(x[30'000], "first");
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

using ElementwiseReorderOf = EveryExecutionPolicy;

TEST_F(ElementwiseReorderOf, a_buffer_changes_the_given_part) {
    on_every_device([&](const auto& policy) {
        opencl::buffer<std::int32_t> values{policy.queue(), counting(10)};
        const auto from = begin(values) + 1;
        EXPECT_EQ(rotate(policy, from, from + 3, end(values)), from + 6);
        reverse(policy, from + 6, end(values));
        EXPECT_EQ(shift_left(policy, begin(values), begin(values) + 3, 1), begin(values) + 2);
        swap_ranges(policy, begin(values) + 3, begin(values) + 5, begin(values) + 8);
        std::vector<std::int32_t> got(10);
        values.read(policy.queue(), got);
        got[2] = 0;
        EXPECT_EQ(got, (std::vector<std::int32_t>{4, 5, 0, 2, 1, 8, 9, 3, 6, 7}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
