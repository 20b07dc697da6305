// SPDX-License-Identifier: Apache-2.0
// A child may use TBB's threads if its parent has not. This is a separate program, because a process
// cannot undo its use of TBB.
// link: -pthread
#include <gtest/gtest.h>

#include "pointsman/resource/arena.hpp"
#include "support/forked_child.hpp"

namespace pointsman::test {
namespace {

TEST(UnusedArenaFork, gives_the_child_the_threads) {
    const arena of_parent{1};
    EXPECT_TRUE(holds_in_a_child([&] {
        return of_parent.run([] { return 7; }).get() == 7 &&
               arena{2}.run([] { return 8; }).get() == 8;
    }));
    EXPECT_EQ(of_parent.run([] { return 9; }).get(), 9);
}

}  // namespace
}  // namespace pointsman::test
