// SPDX-License-Identifier: Apache-2.0
// Parallel algorithms change each bit of a vector of bool, whose neighbours share memory.
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/replace.hpp"
#include "pointsman/algorithm/reverse.hpp"
#include "pointsman/algorithm/swap_ranges.hpp"
#include "pointsman/execution/host_policies.hpp"

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

}  // namespace
}  // namespace pointsman::test
