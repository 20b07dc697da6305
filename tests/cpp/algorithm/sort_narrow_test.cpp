// SPDX-License-Identifier: Apache-2.0
// Numbers of one or two bytes, which are counted instead of compared: few and many, in every order.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
struct SortNarrow : testing::Test {
    random_values random;

    /// Values that are all alike, few different ones, or any.
    std::vector<T> values(std::size_t count, std::uint32_t different) {
        std::vector<T> x;
        for (const std::uint32_t each : random.of<std::uint32_t>(count, different)) {
            x.push_back(static_cast<T>(each * 40'503));
        }
        return x;
    }
    template <class Compare, class Policy>
    void check(const Policy& policy, const std::vector<T>& x, Compare compare) {
        const std::string message = std::to_string(x.size()) + " values, " + random.seed();
        std::vector<std::uint32_t> order(x.size());
        std::iota(order.begin(), order.end(), 0U);
        auto indices = order;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return compare(x[a], x[b]); });
        std::vector<T> sorted;
        for (const std::uint32_t each : order) {
            sorted.push_back(x[each]);
        }
        auto y = x;
        sort(policy, y.begin(), y.end(), compare);
        EXPECT_EQ(y, sorted) << message;
        y = x;
        stable_sort(policy, y.begin(), y.end(), compare);
        EXPECT_EQ(y, sorted) << message;
        y = x;
        sort_by_key(policy, y.begin(), y.end(), indices.begin(), compare);
        EXPECT_EQ(y, sorted) << message;
        EXPECT_EQ(indices, order) << message;
        const std::size_t third = x.size() / 3;
        const auto middle = [&] { return y.begin() + static_cast<std::ptrdiff_t>(third); };
        y = x;
        partial_sort(policy, y.begin(), middle(), y.end(), compare);
        EXPECT_TRUE(std::equal(y.begin(), middle(), sorted.begin())) << message;
        std::sort(y.begin(), y.end(), compare);
        EXPECT_EQ(y, sorted) << message;
        y = x;
        nth_element(policy, y.begin(), middle(), y.end(), compare);
        EXPECT_TRUE(third == x.size() || y[third] == sorted[third]) << message;
        std::sort(y.begin(), y.end(), compare);
        EXPECT_EQ(y, sorted) << message;
    }
    void check_orders(std::size_t count, std::uint32_t different) {
        check(execution::seq, values(count, different), less{});
        check(execution::par, values(count, different), std::less<T>{});
        check(execution::unseq, values(count, different), std::greater<>{});
        check(execution::par_unseq, values(count, different), greater{});
    }
};

#ifdef POINTSMAN_TEST_SANITIZED
using narrow_types = testing::Types<signed char, std::uint16_t>;
#else
using narrow_types =
    testing::Types<char, signed char, unsigned char, std::int16_t, std::uint16_t, char16_t>;
#endif
TYPED_TEST_SUITE(SortNarrow, narrow_types);

TYPED_TEST(SortNarrow, puts_few_and_many_values_where_comparisons_put_them) {
    for (const std::size_t count : {0U, 1U, 2U, 199U, 200U, 201U, 1'003U, 65'537U}) {
        for (const std::uint32_t different : {0U, 1U, 5U, 300U, 70'000U}) {
            this->check_orders(count, different);
        }
    }
}

TYPED_TEST(SortNarrow, is_right_where_the_way_changes) {
    const std::size_t counted = 4 * 65'536;
    for (const std::size_t count : {counted - 1, counted}) {
        this->check_orders(count, 70'000);
    }
}

TYPED_TEST(SortNarrow, shares_many_values_among_threads) {
    constexpr std::size_t many = 2'100'007;
    for (const std::uint32_t different : {2U, 70'000U}) {
        auto x = this->values(many, different);
        auto sorted = x;
        std::sort(sorted.begin(), sorted.end());
        sort(execution::par_unseq, x.begin(), x.end());
        EXPECT_EQ(x, sorted) << this->random.seed();
    }
}

TEST(SortOfBool, puts_false_before_true_or_behind) {
    random_values random;
    for (const std::size_t count : {3U, 1'000U}) {
        const auto x = random.of<std::uint32_t>(count, 1);
        const auto ones = static_cast<std::size_t>(std::count(x.begin(), x.end(), 1U));
        const auto y = std::make_unique<bool[]>(count);
        const auto reset = [&] {
            std::transform(x.begin(), x.end(), y.get(), [](auto each) { return each == 1; });
        };
        reset();
        sort(execution::seq, y.get(), y.get() + count);
        EXPECT_EQ(std::count(y.get() + count - ones, y.get() + count, true), ones);
        reset();
        sort(execution::par_unseq, y.get(), y.get() + count, greater{});
        EXPECT_EQ(std::count(y.get(), y.get() + ones, true), ones);
    }
}

#ifdef POINTSMAN_HAS_HALF
TEST(SortOfHalf, orders_all_bits_of_many_values) {
    random_values random;
    for (const std::size_t count : {1'000U, 300'000U}) {
        std::vector<half> x;
        std::vector<int> sorted;
        for (const std::uint32_t bits : random.of<std::uint32_t>(count, 0xffff)) {
            x.push_back(std::bit_cast<half>(static_cast<std::uint16_t>(bits)));
            sorted.push_back(detail::sort_image<half, less>::of(static_cast<std::uint16_t>(bits)));
        }
        std::sort(sorted.begin(), sorted.end());
        sort(execution::par, x.begin(), x.end());
        for (std::size_t i = 0; i < count; ++i) {
            const auto bits = std::bit_cast<std::uint16_t>(x[i]);
            ASSERT_EQ((detail::sort_image<half, less>::of(bits)), sorted[i]) << random.seed();
        }
    }
}
#endif

}  // namespace
}  // namespace pointsman::test
