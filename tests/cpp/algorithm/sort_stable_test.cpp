// SPDX-License-Identifier: Apache-2.0
// stable_sort and sort_by_key keep the order of equivalent values.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class StableSort : public EveryExecutionPolicy {
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
        this->under_every_policy([&](const auto& policy, const std::string& name) {
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
        this->under_every_policy([&](const auto& policy, const std::string& name) {
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
    under_every_policy([&](const auto& policy, const std::string& name) {
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
