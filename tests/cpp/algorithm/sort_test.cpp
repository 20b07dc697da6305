// SPDX-License-Identifier: Apache-2.0
// sort equals std::sort under every policy, with NaN last.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class Sort : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;

    template <class Compare>
    void check(const std::vector<T>& x, Compare compare) {
        auto expected = x;
        std::sort(expected.begin(), expected.end(), compare);
        this->under_policies([&](const auto& policy, const std::string& name) {
            auto sorted = x;
            sort(policy, sorted.begin(), sorted.end(), compare);
            EXPECT_EQ(sorted, expected) << name << ", size " << x.size() << ", " << random.seed();
        });
    }
};

TYPED_TEST_SUITE(Sort, few_types);

TYPED_TEST(Sort, ascends_or_descends) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        this->check(x, less{});
        this->check(x, greater{});
    }
}

TYPED_TEST(Sort, takes_few_distinct_values_and_sorted_values) {
    std::vector<TypeParam> x(200'000, TypeParam{7});
    this->check(x, less{});
    x = this->random.template of<TypeParam>(x.size(), 2);
    this->check(x, less{});
    std::ranges::sort(x);
    this->check(x, less{});
    std::ranges::reverse(x);
    this->check(x, less{});
}

using SortOf = EveryExecutionPolicy;

TEST_F(SortOf, floating_point_values_puts_nan_last) {
    random_values random;
    for (const std::size_t size : algorithm_sizes) {
        auto x = random.of<float>(size);
        for (std::size_t i = 0; i < size; i += 3) {
            x[i] =
                std::copysign(std::numeric_limits<float>::quiet_NaN(), i % 2 == 0 ? 1.0F : -1.0F);
        }
        const auto numbers = size - (size + 2) / 3;
        auto expected = x;
        std::erase_if(expected, [](float value) { return std::isnan(value); });
        std::ranges::sort(expected);
        const auto check = [&](const auto& sorted, const std::string& message) {
            const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(numbers);
            EXPECT_TRUE(std::equal(sorted.begin(), middle, expected.begin())) << message;
            EXPECT_TRUE(std::all_of(middle, sorted.end(), [](float v) { return std::isnan(v); }))
                << message;
        };
        under_policies([&](const auto& policy, const std::string& name) {
            const std::string message =
                name + ", size " + std::to_string(size) + ", " + random.seed();
            auto sorted = x;
            sort(policy, sorted.begin(), sorted.end());
            check(sorted, message);
            sort(policy, sorted.begin(), sorted.end(), greater{});
            std::reverse(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(numbers));
            check(sorted, message + ", descending");
        });
    }
}

TEST_F(SortOf, a_container_that_is_not_contiguous_works) {
    random_values random;
    auto expected = random.of<float>(50'000);
    const std::deque<float> x(expected.begin(), expected.end());
    std::ranges::sort(expected);
    under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = x;
        sort(policy, sorted.begin(), sorted.end());
        EXPECT_TRUE(std::ranges::equal(sorted, expected)) << name << ", " << random.seed();
    });
}

TEST(HostSort, takes_any_type_and_any_order) {
    const auto check = [](const auto& policy) {
        std::vector<std::string> words{"merge", "a", "histogram", "sort"};
        sort(policy, words.begin(), words.end(),
             [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
        EXPECT_EQ(words, (std::vector<std::string>{"a", "sort", "merge", "histogram"}));
        sort(policy, words.begin(), words.end(), std::less<>{});
        EXPECT_EQ(words, (std::vector<std::string>{"a", "histogram", "merge", "sort"}));
    };
    check(execution::seq);
    check(execution::par);
}

TEST_F(SortOf, narrow_types_works) {
    random_values random;
    std::vector<std::int8_t> x(5000);
    for (std::int8_t& value : x) {
        value = static_cast<std::int8_t>(random.of<std::uint32_t>(1, 256)[0] - 128);
    }
    auto expected = x;
    std::ranges::sort(expected);
    under_policies([&](const auto& policy, const std::string& name) {
        auto sorted = x;
        sort(policy, sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, expected) << name << ", " << random.seed();
        sort(policy, sorted.begin(), sorted.end(), greater{});
        EXPECT_TRUE(std::equal(sorted.begin(), sorted.end(), expected.rbegin()))
            << name << ", descending, " << random.seed();
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL

TEST(SortInWorkGroups, uses_fewer_work_items_when_local_memory_is_small) {
    const auto items = [](std::size_t local_bytes) {
        return detail::radix_tile_within<std::uint32_t, float>(256, local_bytes).items;
    };
    EXPECT_EQ(items(48 * 1024), 256U);
    EXPECT_EQ(items(32 * 1024), 128U);
    EXPECT_EQ(items(16 * 1024), 64U);
    EXPECT_EQ(items(1024), 1U);
}

TEST_F(SortOf, a_buffer_stays_on_the_device_and_changes_only_the_range) {
    on_every_device([&](const auto& policy) {
        const std::vector<float> x{9, 5, -3, 4, -0.0F, 1, 0};
        opencl::buffer<float> values{policy.queue(), x};
        sort(policy, begin(values) + 1, begin(values) + 6);
        std::vector<float> got(7);
        values.read(policy.queue(), got);
        EXPECT_EQ(got, (std::vector<float>{9, -3, -0.0F, 1, 4, 5, 0}));
    });
}

#endif

}  // namespace
}  // namespace pointsman::test
