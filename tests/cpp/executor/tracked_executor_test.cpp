// SPDX-License-Identifier: Apache-2.0
// A tracked executor counts as outstanding work: a wait for its context does not return while it exists.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>

#include "pointsman/executor/any_executor.hpp"
#include "pointsman/executor/arena_executor.hpp"
#include "pointsman/executor/inline_executor.hpp"
#include "pointsman/executor/nested_executor.hpp"
#include "pointsman/executor/unsequenced_executor.hpp"
#include "pointsman/property/outstanding_work.hpp"
#include "support/waiting_thread.hpp"

namespace pointsman::test {

TEST(TrackedExecutor, keeps_the_wait_of_its_arena_from_returning) {
    expect_wait_for_last_copy(require(arena_executor<>{arena{1}}, outstanding_work.tracked));
}

TEST(TrackedExecutor, is_waited_for_along_with_its_work) {
    const arena one{1};
    std::atomic<int> calls{0};
    std::latch may_begin{1};
    const std::jthread producer{
        [&, executor = require(arena_executor<>{one}, outstanding_work.tracked, blocking.never)] {
            may_begin.wait();
            for (int i = 0; i < 100; ++i) {
                static_cast<void>(execute(executor, [&] { ++calls; }));
            }
        }};
    may_begin.count_down();
    one.wait();
    EXPECT_EQ(calls, 100);
}

TEST(TrackedExecutor, does_not_hold_up_work_on_its_arena) {
    const arena one{1};
    std::optional executor{
        require(arena_executor<>{one}, outstanding_work.tracked, blocking.never)};
    std::atomic<int> calls{0};
    waiting_thread waiter{one};
    execute(*executor, [&] { ++calls; }).wait();
    bulk_execute(require(*executor, blocking.always), [&](std::size_t) { ++calls; }, 9);
    EXPECT_EQ(calls, 10);
    EXPECT_FALSE(waiter.is_over());
    executor = std::nullopt;
    waiter.join();
}

TEST(TrackedExecutor, stays_tracked_when_it_gets_other_properties) {
    const arena_executor<> executor{arena{2}};
    EXPECT_EQ(query(executor, outstanding_work), outstanding_work.untracked);
    const auto tracked = require(executor, outstanding_work.tracked);
    EXPECT_EQ(query(tracked, outstanding_work), outstanding_work.tracked);
    EXPECT_EQ(query(require(tracked, blocking.never), outstanding_work), outstanding_work.tracked);
    EXPECT_NE(tracked, executor);
    EXPECT_EQ(tracked, require(executor, outstanding_work.tracked));
    EXPECT_EQ(require(tracked, outstanding_work.untracked), executor);
}

TEST(TrackedExecutor, is_available_from_executors_that_hold_an_arena) {
    const arena one{1};
    const nested_executor nested{arena_executor<>{one}, unsequenced_executor<>{}};
    expect_wait_for_last_copy(require(nested, outstanding_work.tracked));
    using any = any_executor<outstanding_work_t, outstanding_work_t::tracked_t>;
    std::optional held{require(any{arena_executor<>{one}}, outstanding_work.tracked)};
    EXPECT_EQ(query(*held, outstanding_work), outstanding_work.tracked);
    waiting_thread waiter{one};
    EXPECT_FALSE(waiter.is_over());
    held = std::nullopt;
    waiter.join();
}

TEST(TrackedExecutor, is_refused_if_all_work_completes_before_the_call_returns) {
    static_assert(!can_require_v<inline_executor<>, outstanding_work_t::tracked_t>);
    static_assert(!can_require_v<unsequenced_executor<>, outstanding_work_t::tracked_t>);
    static_assert(can_require_v<inline_executor<>, outstanding_work_t::untracked_t>);
    const inline_executor<> preferred = prefer(inline_executor<>{}, outstanding_work.tracked);
    EXPECT_EQ(query(preferred, outstanding_work), outstanding_work.untracked);
}

}  // namespace pointsman::test
