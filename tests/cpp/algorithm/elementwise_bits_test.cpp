// SPDX-License-Identifier: Apache-2.0
// Parallel algorithms change each bit of a vector of bool, whose neighbours share memory.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/adjacent_difference.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/replace.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/reverse_copy.hpp"
#include "pointsman/algorithm/rotate.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/swap_ranges.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/execution/host_policies.hpp"
#include "random_values.hpp"

namespace pointsman::test {
namespace {

TEST(ElementwiseBits, are_all_changed) {
    constexpr std::size_t size = 300'001;
    std::vector<bool> every_third(size);
    for (std::size_t i = 0; i < size; i += 3) {
        every_third[i] = true;
    }
    for (int run = 0; run < 10; ++run) {
        std::vector<bool> x(size);
        std::vector<bool> y(size);
        fill(execution::par, x.begin(), x.end(), true);
        EXPECT_EQ(x, std::vector<bool>(size, true));
        copy(execution::par, every_third.begin(), every_third.end(), x.begin());
        EXPECT_EQ(x, every_third);
        replace(execution::par, x.begin(), x.end(), true, false);
        EXPECT_EQ(x, y);
        x = every_third;
        for_each(execution::par, x.begin(), x.end(), [](auto bit) { bit = !bit; });
        for_each(execution::par_unseq, x.begin(), x.end(), [](auto bit) { bit = !bit; });
        EXPECT_EQ(x, every_third);
        swap_ranges(execution::par, x.begin(), x.end(), y.begin());
        EXPECT_EQ(y, every_third);
        reverse(execution::par, y.begin(), y.end());
        std::reverse(y.begin(), y.end());
        EXPECT_EQ(y, every_third);
    }
}

TEST(ElementwiseBits, are_all_written_by_algorithms_that_read_others) {
    constexpr std::size_t size = 300'001;
    random_values random;
    const auto values = random.of<std::int32_t>(size, 100);
    std::vector<bool> bits(size);
    std::transform(values.begin(), values.end(), bits.begin(), [](int v) { return v % 2 != 0; });
    const auto is_odd = [](int v) { return v % 2 != 0; };
    const auto differ = [](bool a, bool b) { return a != b; };
    for (int run = 0; run < 10; ++run) {
        const auto& par = execution::par;
        SCOPED_TRACE(random.seed());
        std::vector<bool> x(size);
        std::vector<bool> expected(size);
        transform(par, values.begin(), values.end(), x.begin(), is_odd);
        EXPECT_EQ(x, bits);
        reverse_copy(par, bits.begin(), bits.end(), x.begin());
        std::reverse_copy(bits.begin(), bits.end(), expected.begin());
        EXPECT_EQ(x, expected);
        adjacent_difference(par, bits.begin(), bits.end(), x.begin(), differ);
        std::adjacent_difference(bits.cbegin(), bits.cend(), expected.begin(), differ);
        EXPECT_EQ(x, expected);
        inclusive_scan(par, bits.begin(), bits.end(), x.begin(), differ);
        // By const iterators: libstdc++ would keep the sum in the first bit.
        std::inclusive_scan(bits.cbegin(), bits.cend(), expected.begin(), differ);
        EXPECT_EQ(x, expected);
        x = bits;
        rotate(par, x.begin(), x.begin() + 1'001, x.end());
        std::rotate_copy(bits.begin(), bits.begin() + 1'001, bits.end(), expected.begin());
        EXPECT_EQ(x, expected);
        sort(par, x.begin(), x.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(x, expected);
        std::vector<bool> merged(2 * size);
        std::vector<bool> expected_merged(2 * size);
        merge(par, x.begin(), x.end(), x.begin(), x.end(), merged.begin());
        std::merge(x.begin(), x.end(), x.begin(), x.end(), expected_merged.begin());
        EXPECT_EQ(merged, expected_merged);
    }
}

}  // namespace
}  // namespace pointsman::test
