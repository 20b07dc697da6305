// SPDX-License-Identifier: Apache-2.0
// histogram with equal bins and with edges, compared with a plain loop under every policy.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/error.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

template <class T>
class Histogram : public ExecutionPoliciesFor<T> {
  protected:
    random_values random;
};

TYPED_TEST_SUITE(Histogram, few_types);

TYPED_TEST(Histogram, counts_values_in_bins_of_equal_width_and_none_outside) {
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size, 120);
        std::vector<std::uint32_t> expected(32);
        for (const TypeParam value : x) {
            // A bin is 2 wide, so that every type represents the edges exactly.
            if (value >= 20 && value < 84) {
                ++expected[static_cast<std::size_t>(value - 20) / 2];
            }
        }
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<std::uint32_t> counts(32, 7);
            EXPECT_EQ(histogram(policy, x.begin(), x.end(), 32, TypeParam{20}, TypeParam{84},
                                counts.begin()),
                      counts.end());
            EXPECT_EQ(counts, expected) << name << ", size " << size << ", " << this->random.seed();
        });
    }
}

TYPED_TEST(Histogram, counts_values_between_edges) {
    const std::vector<TypeParam> edges{1, 2, 5, 50, 51, 100};
    for (const std::size_t size : algorithm_sizes) {
        const auto x = this->random.template of<TypeParam>(size);
        const auto y = this->random.template of<TypeParam>(size, 120);
        std::vector<TypeParam> all = x;
        all.insert(all.end(), y.begin(), y.end());
        std::vector<std::int64_t> expected;
        for (std::size_t bin = 0; bin + 1 < edges.size(); ++bin) {
            expected.push_back(std::ranges::count_if(all, [&](const TypeParam& value) {
                return value >= edges[bin] && value < edges[bin + 1];
            }));
        }
        this->under_policies([&](const auto& policy, const std::string& name) {
            std::vector<std::int64_t> counts(5, 7);
            EXPECT_EQ(histogram(policy, all.begin(), all.end(), edges.begin(), edges.end(),
                                counts.begin()),
                      counts.end());
            EXPECT_EQ(counts, expected) << name << ", size " << size << ", " << this->random.seed();
        });
    }
}

using HistogramOf = EveryExecutionPolicy;

TEST_F(HistogramOf, narrow_integers_covers_their_whole_range) {
    std::vector<std::int8_t> x(256);
    for (int i = 0; i < 256; ++i) {
        x[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(i - 128);
    }
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<int> counts(4);
        histogram(policy, x.begin(), x.end(), 4, -128, 128, counts.begin());
        EXPECT_EQ(counts, std::vector<int>(4, 64)) << name;
    });
}

TEST_F(HistogramOf, wide_integers_covers_their_whole_range) {
    using limits = std::numeric_limits<std::int32_t>;
    const std::vector<std::int32_t> x{limits::lowest(), -1, 0, limits::max() - 1, limits::max()};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<int> counts(2);
        histogram(policy, x.begin(), x.end(), 2, limits::lowest(), limits::max(), counts.begin());
        EXPECT_EQ(counts, (std::vector<int>{2, 2})) << name;
    });
}

TEST_F(HistogramOf, infinities_and_nan_ignores_them) {
    using limits = std::numeric_limits<float>;
    const std::vector<float> x{-limits::infinity(), limits::quiet_NaN(), 0.5F, limits::infinity(),
                               1};
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<int> counts(1);
        histogram(policy, x.begin(), x.end(), 1, 0.0F, 1.0F, counts.begin());
        EXPECT_EQ(counts[0], 1) << name;
    });
}

TEST_F(HistogramOf, more_bins_than_fit_in_the_memory_of_a_work_item_counts_all) {
    random_values random;
    const auto x = random.of<std::int32_t>(100'000, 999'999);
    std::vector<int> expected(1'000'000);
    for (const std::int32_t value : x) {
        expected[static_cast<std::size_t>(value < 0 ? 0 : value)] += value < 0 ? 0 : 1;
    }
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<int> counts(expected.size());
        histogram(policy, x.begin(), x.end(), counts.size(), 0, 1'000'000, counts.begin());
        EXPECT_EQ(counts, expected) << name << ", " << random.seed();
    });
}

TEST_F(HistogramOf, invalid_bins_is_refused) {
    const std::vector<float> x{1, 2};
    const std::vector<std::uint64_t> y{1, 2};
    under_policies([&](const auto& policy, const std::string&) {
        std::vector<int> counts(2);
        const auto of_x = [&](std::size_t bins, float low, float high) {
            histogram(policy, x.begin(), x.end(), bins, low, high, counts.begin());
        };
        EXPECT_THROW(of_x(0, 1, 2), invalid_option);
        EXPECT_THROW(of_x(2, 1, 1), invalid_option);
        EXPECT_THROW(of_x(2, 1, std::numeric_limits<float>::quiet_NaN()), invalid_option);
        EXPECT_THROW(of_x(2, 1, std::numeric_limits<float>::infinity()), invalid_option);
        EXPECT_THROW(histogram(policy, y.begin(), y.end(), 2, std::uint64_t{0},
                               std::numeric_limits<std::uint64_t>::max(), counts.begin()),
                     invalid_option);
    });
}

}  // namespace
}  // namespace pointsman::test
