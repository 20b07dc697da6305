// SPDX-License-Identifier: Apache-2.0
// A forked child has no TBB threads if its parent has sorted in parallel. This is a separate program, because
// a process cannot undo its use of TBB.
// link: -pthread
// not under thread: ThreadSanitizer cannot see the synchronization inside oneTBB and libstdc++
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "pointsman/algorithm/sort.hpp"
#include "pointsman/execution/host_policies.hpp"
#include "pointsman/resource/arena.hpp"
#include "support/forked_child.hpp"

namespace pointsman::test {
namespace {

bool gets_an_arena() {
    try {
        return arena{1}.run([] { return 7; }).get() == 7;
    } catch (const forked_process&) {
        return false;
    }
}

TEST(SortFork, leaves_the_child_without_arenas_after_a_parallel_sort_only) {
    std::vector<int> values(200'000);
    std::iota(values.rbegin(), values.rend(), 0);
    pointsman::sort(execution::seq, values.begin(), values.end());
    EXPECT_TRUE(holds_in_a_child([] { return gets_an_arena(); }));
    pointsman::sort(execution::par, values.begin(), values.end());
    EXPECT_TRUE(holds_in_a_child([] { return !gets_an_arena(); }));
}

}  // namespace
}  // namespace pointsman::test
