// SPDX-License-Identifier: Apache-2.0
// An arena belongs to its process: a forked child that uses it gets an error instead of hanging.
#include <gtest/gtest.h>

#include <latch>
#include <optional>

#include "pointsman/resource/arena.hpp"
#include "support/forked_child.hpp"

namespace pointsman::test {
namespace {

TEST(ArenaFork, lets_the_child_run_nothing_on_the_arena) {
    const arena cores{2};
    cores.run([] {}).wait();
    EXPECT_TRUE(is_refused_in_a_child([&] { return cores.run([] {}); }));
}

TEST(ArenaFork, lets_the_child_run_nothing_on_an_arena_of_its_own) {
    arena{1}.run([] {}).wait();
    EXPECT_TRUE(is_refused_in_a_child([] { return arena{1}.run([] { return 7; }).get() == 7; }));
}

TEST(ArenaFork, lets_the_child_call_nothing_in_an_arena_unused_by_the_parent) {
    const arena unused{1};
    arena{1}.run([] {}).wait();
    EXPECT_TRUE(is_refused_in_a_child([&] { return unused.call([] {}), true; }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return unused.run([] {}).wait(), true; }));
}

TEST(ArenaFork, lets_the_child_drop_the_arenas_of_its_parent) {
    auto cores = std::make_optional<arena>(2);
    cores->run([] {}).wait();
    EXPECT_TRUE(holds_in_a_child([&] { return cores.reset(), true; }));
}

TEST(ArenaFork, lets_the_child_wait_for_nothing_that_is_still_running) {
    const arena cores{1};
    std::latch started{1};
    std::latch open{1};
    const auto task = cores.run([&] {
        started.count_down();
        open.wait();
    });
    started.wait();
    EXPECT_TRUE(is_refused_in_a_child([&] { return task.wait(), true; }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return cores.wait(), true; }));
    open.count_down();
    task.wait();
}

TEST(ArenaFork, leaves_the_child_the_results_that_already_exist) {
    const arena cores{1};
    const auto task = cores.run([] { return 7; });
    task.wait();
    EXPECT_TRUE(holds_in_a_child([&] { return task.get() == 7; }));
}

}  // namespace
}  // namespace pointsman::test
