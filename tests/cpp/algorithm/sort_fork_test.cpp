// SPDX-License-Identifier: Apache-2.0
// A child whose parent has sorted in parallel lacks TBB's threads. A program of its own, as TBB is in use
// for good once a test has used it.
// link: -pthread
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "fairlead/algorithm/sort.hpp"
#include "fairlead/execution/host_policies.hpp"
#include "fairlead/resource/arena.hpp"
#include "support/forked_child.hpp"

namespace fairlead::test {
namespace {

bool gets_an_arena() {
    try {
        return arena{1}.run([] { return 7; }).get() == 7;
    } catch (const forked_process&) {
        return false;
    }
}

TEST(SortFork, leaves_the_child_without_arenas_after_a_parallel_sort_alone) {
    std::vector<int> values(200'000);
    std::iota(values.rbegin(), values.rend(), 0);
    fairlead::sort(execution::seq, values.begin(), values.end());
    EXPECT_TRUE(holds_in_a_child([] { return gets_an_arena(); }));
    fairlead::sort(execution::par, values.begin(), values.end());
    EXPECT_TRUE(holds_in_a_child([] { return !gets_an_arena(); }));
}

}  // namespace
}  // namespace fairlead::test
