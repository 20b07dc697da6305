// SPDX-License-Identifier: Apache-2.0
// nth_element, the partial sorts and inplace_merge equal the standard algorithms under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/inplace_merge.hpp"
#include "pointsman/algorithm/nth_element.hpp"
#include "pointsman/algorithm/partial_sort.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, orders_by_tens, (int32_t a, int32_t b), { return a / 10 < b / 10; });

constexpr float no_float = std::numeric_limits<float>::quiet_NaN();

template <class T>
class SortPartial : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    template <class Compare>
    void check(const std::vector<T>& x, std::size_t at, Compare compare) {
        const auto n = static_cast<std::ptrdiff_t>(at);
        auto sorted = x;
        std::ranges::sort(sorted, compare);
        const std::vector<T> front(sorted.begin(), sorted.begin() + n);
        this->under_policies([&](const auto& policy, const std::string& name) {
            const std::string message = name + ", " + std::to_string(at) + " of " +
                                        std::to_string(x.size()) + ", " + random.seed();
            auto out = x;
            nth_element(policy, out.begin(), out.begin() + n, out.end(), compare);
            if (at < x.size()) {
                EXPECT_EQ(out[at], sorted[at]) << message;
            }
            std::sort(out.begin(), out.begin() + n, compare);
            std::sort(out.begin() + n, out.end(), compare);
            EXPECT_EQ(out, sorted) << message;
            out = x;
            partial_sort(policy, out.begin(), out.begin() + n, out.end(), compare);
            std::sort(out.begin() + n, out.end(), compare);
            EXPECT_EQ(out, sorted) << message;
            out.assign(at, T{});
            EXPECT_EQ(
                partial_sort_copy(policy, x.begin(), x.end(), out.begin(), out.end(), compare),
                out.end())
                << message;
            EXPECT_EQ(out, front) << message;
        });
    }
};

TYPED_TEST_SUITE(SortPartial, few_types);

TYPED_TEST(SortPartial, puts_the_values_where_sorting_puts_them) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        this->check(x, std::min<std::size_t>(size, 10), less{});
        if (size < 100'000) {  // std::sort of more takes long
            this->check(x, size / 2, less{});
            this->check(x, 0, less{});
            this->check(x, size, less{});
            this->check(x, size - size / 3, greater{});
            this->check(this->random.template of<TypeParam>(size, 2), size / 2, less{});
        }
    }
}

TYPED_TEST(SortPartial, merges_two_sorted_parts_in_place) {
    for (const std::size_t size : algorithm_sizes) {
        for (const std::size_t of_first : {std::size_t{0}, size / 3, size}) {
            auto x = this->random.template of<TypeParam>(size);
            const auto n = static_cast<std::ptrdiff_t>(of_first);
            std::sort(x.begin(), x.begin() + n);
            std::sort(x.begin() + n, x.end());
            auto expected = x;
            std::ranges::sort(expected);
            this->under_policies([&](const auto& policy, const std::string& name) {
                auto out = x;
                inplace_merge(policy, out.begin(), out.begin() + n, out.end());
                EXPECT_EQ(out, expected) << name << ", size " << size << this->random.seed();
            });
        }
    }
}

using SortPartialOf = EveryExecutionPolicy;

TEST(SortPartialOnHost, equal_values_takes_few_comparisons) {
    std::atomic<std::size_t> comparisons{0};
    const auto counted = [&](std::int32_t a, std::int32_t b) {
        ++comparisons;
        return a < b;
    };
    const auto check = [&](const auto& policy) {
        std::vector<std::int32_t> x(50'000, 4);
        x[7] = 3;
        comparisons = 0;
        nth_element(policy, x.begin(), x.begin() + 25'000, x.end(), counted);
        EXPECT_EQ(x[25'000], 4);
        EXPECT_LT(comparisons, 20 * x.size());
    };
    check(execution::seq);
    check(execution::par);
    check(execution::par_unseq);
}

TEST_F(SortPartialOf, floating_numbers_puts_nan_last_and_minus_zero_first) {
    std::vector<float> x(20'000, 0.0f);
    x[1] = x[2] = no_float;
    x[3] = -std::numeric_limits<float>::infinity();
    x[19'999] = -0.0f;
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        nth_element(policy, out.begin(), out.begin() + 1, out.end());
        EXPECT_TRUE(out[1] == 0 && std::signbit(out[1])) << name;
        out = x;
        nth_element(policy, out.begin(), out.end() - 2, out.end());
        EXPECT_TRUE(std::isnan(out[19'998]) && std::isnan(out[19'999])) << name;
        out = x;
        partial_sort(policy, out.begin(), out.begin() + 3, out.end());
        EXPECT_EQ(out[0], x[3]) << name;
        EXPECT_TRUE(std::signbit(out[1]) && !std::signbit(out[2])) << name;
        std::vector<float> copy(20'001, 5);
        EXPECT_EQ(
            partial_sort_copy(policy, x.begin(), x.end(), copy.begin(), copy.end(), greater{}),
            copy.end() - 1)
            << name;
        EXPECT_EQ(copy[20'000], 5) << name;
        EXPECT_TRUE(std::isnan(copy[19'999]) && std::isnan(copy[19'998])) << name;
        EXPECT_EQ(copy[19'997], x[3]) << name;
    });
}

TEST_F(SortPartialOf, integers_copied_to_floating_numbers_is_that_of_the_integers) {
    random_values random;
    const auto x = random.of<std::int32_t>(50'000);
    auto sorted = x;
    std::ranges::sort(sorted);
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<double> out(1000);
        partial_sort_copy(policy, x.begin(), x.end(), out.begin(), out.end());
        EXPECT_TRUE(std::equal(out.begin(), out.end(), sorted.begin())) << name << random.seed();
    });
}

TEST(SortPartialOnHost, bools_copied_to_integers_has_each_of_them) {
    std::array<bool, 70'001> x{};
    for (std::size_t i = 0; i < x.size(); i += 3) {
        x[i] = true;
    }
    const auto check = [&](const auto& policy) {
        std::vector<int> out(x.size());
        partial_sort_copy(policy, x.begin(), x.end(), out.begin(), out.end());
        EXPECT_TRUE(std::ranges::is_sorted(out));
        EXPECT_EQ(std::ranges::count(out, 1), std::ranges::count(x, true));
    };
    check(execution::seq);
    check(execution::par);
}

TEST_F(SortPartialOf, equivalent_values_merges_those_of_the_first_part_first) {
    random_values random;
    auto x = random.of<std::int32_t>(60'000, 5000);
    std::stable_sort(x.begin(), x.begin() + 20'000, orders_by_tens);
    std::stable_sort(x.begin() + 20'000, x.end(), orders_by_tens);
    auto expected = x;
    std::inplace_merge(expected.begin(), expected.begin() + 20'000, expected.end(), orders_by_tens);
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        inplace_merge(policy, out.begin(), out.begin() + 20'000, out.end(), orders_by_tens);
        EXPECT_EQ(out, expected) << name << ", " << random.seed();
    });
}

TEST(SortPartialOnTheHost, takes_strings) {
    std::vector<std::string> x(40'000, "a string that is too long for a small buffer");
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] += std::to_string(i * 7919 % 10'000);
    }
    auto sorted = x;
    std::ranges::sort(sorted);
    const auto check = [&](const auto& policy) {
        auto out = x;
        partial_sort(policy, out.begin(), out.begin() + 100, out.end());
        EXPECT_TRUE(std::equal(out.begin(), out.begin() + 100, sorted.begin()));
        std::vector<std::string> copy(30'000);
        partial_sort_copy(policy, x.begin(), x.end(), copy.begin(), copy.end());
        EXPECT_TRUE(std::equal(copy.begin(), copy.end(), sorted.begin()));
        out = x;
        std::sort(out.begin(), out.begin() + 10'000);
        std::sort(out.begin() + 10'000, out.end());
        inplace_merge(policy, out.begin(), out.begin() + 10'000, out.end());
        EXPECT_EQ(out, sorted);
        std::list<std::string> list(x.begin(), x.end());
        EXPECT_EQ(
            partial_sort_copy(policy, list.begin(), list.end(), copy.begin(), copy.begin() + 3),
            copy.begin() + 3);
        EXPECT_EQ(copy[2], sorted[2]);
    };
    check(execution::seq);
    check(execution::unseq);
    check(execution::par);
    check(execution::par_unseq);
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST_F(SortPartialOf, a_buffer_changes_the_given_part) {
    on_every_device([&](const auto& policy) {
        const std::vector<std::int32_t> x{9, 3, 5, 1, 4};
        opencl::buffer<std::int32_t> values{policy.queue(), x};
        inplace_merge(policy, begin(values) + 1, begin(values) + 3, end(values));
        std::vector<std::int32_t> got(5);
        values.read(policy.queue(), got);
        EXPECT_EQ(got, (std::vector<std::int32_t>{9, 1, 3, 4, 5}));
        partial_sort_copy(policy, begin(values), end(values), begin(values), begin(values) + 2);
        nth_element(policy, begin(values) + 2, begin(values) + 3, end(values), greater{});
        values.read(policy.queue(), got);
        EXPECT_EQ(got, (std::vector<std::int32_t>{1, 3, 5, 4, 3}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
