// SPDX-License-Identifier: Apache-2.0
// sort, compaction, extremum and histogram under an auto_policy equal the standard algorithms.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/algorithm/max_element.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/min_element.hpp"
#include "pointsman/algorithm/minmax_element.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/sort_by_key.hpp"
#include "pointsman/algorithm/stable_sort.hpp"
#include "pointsman/algorithm/unique.hpp"
#include "pointsman/execution/auto_policy.hpp"

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(int, is_small, (int32_t x), { return x < 20; });

/// 0 to 99 repeatedly, in a fixed order that is not sorted.
std::vector<std::int32_t> shuffled(std::size_t size) {
    std::vector<std::int32_t> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<std::int32_t>(i * 37 % 100);
    }
    return values;
}

/// Calls `check(x)` often enough that each candidate has run.
template <class Check>
void on_shuffled(Check check) {
    for (const std::size_t size : {0, 1, 33, 1000}) {
        for (int i = 0; i < 20; ++i) {
            check(shuffled(size));
        }
    }
}

TEST(AutoOrder, sorts_and_merges) {
    const execution::auto_policy policy;
    on_shuffled([&](const std::vector<std::int32_t>& x) {
        auto expected = x;
        std::ranges::sort(expected);
        auto sorted = x;
        sort(policy, sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, expected);
        sorted = x;
        stable_sort(policy, sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, expected);
        auto keys = x;
        auto values = x;
        sort_by_key(policy, keys.begin(), keys.end(), values.begin());
        EXPECT_EQ(values, expected);
        std::vector<std::int32_t> merged(2 * x.size());
        merge(policy, keys.begin(), keys.end(), values.begin(), values.end(), merged.begin());
        EXPECT_TRUE(std::ranges::is_sorted(merged));
        sorted.erase(unique(policy, sorted.begin(), sorted.end()), sorted.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        EXPECT_EQ(sorted, expected);
    });
}

TEST(AutoOrder, selects_and_counts) {
    const execution::auto_policy policy;
    on_shuffled([&](const std::vector<std::int32_t>& x) {
        std::vector<std::int32_t> kept(x.size());
        kept.erase(copy_if(policy, x.begin(), x.end(), kept.begin(), is_small), kept.end());
        std::vector<std::int32_t> expected;
        std::ranges::copy_if(x, std::back_inserter(expected), is_small);
        EXPECT_EQ(kept, expected);
        EXPECT_EQ(min_element(policy, x.begin(), x.end()), std::ranges::min_element(x));
        EXPECT_EQ(max_element(policy, x.begin(), x.end()), std::ranges::max_element(x));
        EXPECT_EQ(minmax_element(policy, x.begin(), x.end()).first, std::ranges::min_element(x));
        std::vector<std::int32_t> counts(5, -1);
        histogram(policy, x.begin(), x.end(), 5, 0, 100, counts.begin());
        EXPECT_EQ(std::reduce(counts.begin(), counts.end()), static_cast<int>(x.size()));
        EXPECT_EQ(counts[0], static_cast<int>(expected.size()));
    });
}

}  // namespace
}  // namespace pointsman::test
