// SPDX-License-Identifier: Apache-2.0
// Searches, replacements, reorderings, removals, set operations and segments of half precision.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/count.hpp"
#include "pointsman/algorithm/find.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/inclusive_scan_by_segment.hpp"
#include "pointsman/algorithm/inplace_merge.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/algorithm/partial_sort_copy.hpp"
#include "pointsman/algorithm/reduce_by_segment.hpp"
#include "pointsman/algorithm/remove.hpp"
#include "pointsman/algorithm/replace.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/search.hpp"
#include "pointsman/algorithm/search_n.hpp"
#include "pointsman/algorithm/set_symmetric_difference.hpp"
#include "pointsman/algorithm/unique_copy.hpp"

#ifdef POINTSMAN_HAS_HALF

namespace pointsman::test {
namespace {

using HalfOthers = ParallelAndDevicePolicies;

/// Small numbers that repeat.
std::vector<half> repeated_halves(std::size_t size) {
    std::vector<half> values(size);
    for (std::size_t i = 0; i < size; ++i) {
        values[i] = static_cast<half>(static_cast<float>(i * 7919 % 1000) / 4);
    }
    return values;
}

TEST_F(HalfOthers, are_searched) {
    auto x = repeated_halves(20'000);
    x[15'000] = static_cast<half>(-2.5f);
    const auto sought = static_cast<half>(-2.5f);
    under_policies([&](const auto& policy, const std::string& name) {
        EXPECT_EQ(find(policy, x.begin(), x.end(), sought) - x.begin(), 15'000) << name;
        EXPECT_EQ(count(policy, x.begin(), x.end(), x[3]), std::count(x.begin(), x.end(), x[3]));
        EXPECT_EQ(find(policy, x.begin(), x.end(), -2.5f) - x.begin(), 15'000) << name;
        EXPECT_EQ(find(policy, x.begin(), x.end(), 2049), x.end()) << name;
        const auto first = x.begin() + 14'999;
        EXPECT_EQ(search(policy, x.begin(), x.end(), first, first + 9), first) << name;
        EXPECT_EQ(search_n(policy, x.begin(), x.end(), 1, sought), first + 1) << name;
        EXPECT_EQ(is_heap_until(policy, x.begin(), x.end()), std::is_heap_until(x.begin(), x.end()))
            << name;
    });
}

TEST_F(HalfOthers, are_replaced_reversed_and_removed) {
    const auto x = repeated_halves(20'000);
    const auto old_value = static_cast<half>(2.5f);
    const auto new_value = static_cast<half>(std::numeric_limits<float>::infinity());
    auto expected = x;
    std::ranges::replace(expected, old_value, new_value);
    std::ranges::reverse(expected);
    std::vector<half> differences(x.size());
    std::adjacent_difference(x.begin(), x.end(), differences.begin(), minimum{});
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        replace(policy, out.begin(), out.end(), old_value, new_value);
        reverse(policy, out.begin(), out.end());
        EXPECT_EQ(out, expected) << name;
        const auto end = remove(policy, out.begin(), out.end(), new_value);
        EXPECT_EQ(end - out.begin(), 19'980) << name;
        std::vector<half> without = expected;
        std::erase(without, new_value);
        EXPECT_TRUE(std::equal(without.begin(), without.end(), out.begin())) << name;
        adjacent_difference(policy, x.begin(), x.end(), out.begin(), minimum{});
        EXPECT_EQ(out, differences) << name;
    });
}

TEST_F(HalfOthers, are_merged_and_subtracted) {
    auto x = repeated_halves(20'000);
    std::sort(x.begin(), x.begin() + 9000);
    std::sort(x.begin() + 9000, x.end());
    auto sorted = x;
    std::ranges::sort(sorted);
    std::vector<half> expected;
    std::set_symmetric_difference(x.begin(), x.begin() + 9000, x.begin() + 9000, x.end(),
                                  std::back_inserter(expected));
    under_policies([&](const auto& policy, const std::string& name) {
        auto out = x;
        inplace_merge(policy, out.begin(), out.begin() + 9000, out.end());
        EXPECT_EQ(out, sorted) << name;
        out.resize(static_cast<std::size_t>(
            set_symmetric_difference(policy, x.begin(), x.begin() + 9000, x.begin() + 9000, x.end(),
                                     out.begin()) -
            out.begin()));
        EXPECT_EQ(out, expected) << name;
        std::vector<half> least(100);
        partial_sort_copy(policy, x.begin(), x.end(), least.begin(), least.end());
        EXPECT_TRUE(std::equal(least.begin(), least.end(), sorted.begin())) << name;
        std::vector<half> kinds(1000);
        EXPECT_EQ(unique_copy(policy, sorted.begin(), sorted.end(), kinds.begin()), kinds.end());
    });
}

TEST_F(HalfOthers, are_keys_and_values_of_segments) {
    std::vector<half> keys(20'000);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = static_cast<half>(static_cast<float>(i / 100 % 3) / 4);
    }
    const std::vector<half> x(keys.size(), static_cast<half>(0.5f));
    under_policies([&](const auto& policy, const std::string& name) {
        std::vector<half> keys_out(200);
        std::vector<half> out(200);
        const auto ends = reduce_by_segment(policy, keys.begin(), keys.end(), x.begin(),
                                            keys_out.begin(), out.begin());
        EXPECT_EQ(ends.first, keys_out.end()) << name;
        EXPECT_EQ(keys_out[4], static_cast<half>(0.25f)) << name;
        EXPECT_EQ(out, std::vector<half>(200, static_cast<half>(50.0f))) << name;
        std::vector<half> sums(keys.size());
        inclusive_scan_by_segment(policy, keys.begin(), keys.end(), x.begin(), sums.begin());
        for (std::size_t i = 0; i < sums.size(); ++i) {
            ASSERT_EQ(sums[i], static_cast<float>(i % 100 + 1) / 2) << name << ", " << i;
        }
    });
}

}  // namespace
}  // namespace pointsman::test

#endif
