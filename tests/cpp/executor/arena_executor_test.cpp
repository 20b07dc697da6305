// SPDX-License-Identifier: Apache-2.0
// Behaviour specific to arena executors: work that continues after the call returns.
#include "pointsman/executor/arena_executor.hpp"

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/property/query.hpp"
#include "pointsman/property/require.hpp"
#include "support/counting_allocator.hpp"

namespace pointsman::test {
namespace {

/// Measures how many agents are inside at the same time.
class most_at_a_time {
  public:
    /// Returns when more than `limit` agents are inside, or after they have had time to enter. Does not
    /// yield, which could take very long beside many other processes.
    void stay_until_more_than(int limit) {
        int seen = most_;
        const int mine = ++now_;
        while (seen < mine && !most_.compare_exchange_weak(seen, mine)) {
        }
        for (int turn = 0; turn < 5000 && now_ <= limit; ++turn) {
        }
        --now_;
    }
    [[nodiscard]] int most() const { return most_; }

  private:
    std::atomic<int> now_{0};
    std::atomic<int> most_{0};
};

}  // namespace

TEST(ArenaExecutor, returns_before_the_work_completes_if_it_never_blocks) {
    std::latch may_go_on{1};
    const auto executor = require(arena_executor<>{arena{2}}, blocking.never);
    const auto one = execute(executor, [&] { may_go_on.wait(); });
    const auto many = bulk_execute(executor, [&](std::size_t) { may_go_on.wait(); }, 3);
    EXPECT_FALSE(one.is_ready());
    EXPECT_FALSE(many.is_ready());
    may_go_on.count_down();
    one.wait();
    many.wait();
    EXPECT_TRUE(one.is_ready() && many.is_ready());
}

TEST(ArenaExecutor, completes_its_work_in_the_wait_of_the_context) {
    const auto executor = require(arena_executor<>{arena{2}}, blocking.possibly);
    std::atomic<int> calls{0};
    for (int i = 0; i < 20; ++i) {
        static_cast<void>(bulk_execute(executor, [&](std::size_t) { ++calls; }, 10));
        static_cast<void>(execute(executor, [&] { ++calls; }));
    }
    executor.context().wait();
    EXPECT_EQ(calls, 220);
}

TEST(ArenaExecutor, uses_no_more_threads_for_bulk_work_than_the_arena_has) {
    for (const int concurrency : {1, 2}) {
        const arena_executor<> executor{arena{concurrency}};
        most_at_a_time agents;
        const auto stay = [&](std::size_t) { agents.stay_until_more_than(concurrency); };
        bulk_execute(executor, stay, 500);
        bulk_execute(require(executor, blocking.never), stay, 500).wait();
        executor.context().run([&] { bulk_execute(executor, stay, 500); }).wait();
        EXPECT_LE(agents.most(), concurrency);
    }
}

TEST(ArenaExecutor, keeps_the_state_of_a_mutable_body) {
    const auto executor = require(arena_executor<>{arena{1}}, blocking.never);
    bulk_execute(executor, [calls = 0](std::size_t) mutable { return ++calls; }, 10).wait();
    execute(executor, [calls = 0]() mutable { return ++calls; }).wait();
}

TEST(ArenaExecutor, throws_an_error_of_the_work_from_the_wait) {
    const auto executor = require(arena_executor<>{arena{2}}, blocking.never);
    const auto one = execute(executor, [] { throw std::out_of_range{"on purpose"}; });
    const auto many =
        bulk_execute(executor, [](std::size_t) { throw std::out_of_range{"on purpose"}; }, 1000);
    EXPECT_THROW(one.wait(), std::out_of_range);
    EXPECT_THROW(many.wait(), std::out_of_range);
}

TEST(ArenaExecutor, allocates_stored_work_with_its_allocator) {
    allocation_counts counts;
    const auto executor = require(arena_executor<>{arena{2}}, blocking.never,
                                  allocator(counting_allocator<>{counts}));
    EXPECT_EQ(query(executor, allocator).counts(), &counts);
    bulk_execute(executor, [](std::size_t) {}, 100).wait();
    execute(executor, [] {}).wait();
    executor.context().wait();
    EXPECT_EQ(counts.taken, 2);
}

TEST(ArenaExecutor, has_released_all_memory_after_a_wait_for_its_context) {
    allocation_counts counts;
    const auto executor = require(arena_executor<>{arena{2}}, blocking.never,
                                  allocator(counting_allocator<>{counts}));
    for (int round = 1; round <= 50; ++round) {
        static_cast<void>(execute(executor, [] {}));
        bulk_execute(executor, [](std::size_t) {}, 10).wait();
        executor.context().wait();
        EXPECT_EQ(counts.taken, 2 * round);
        EXPECT_EQ(counts.returned, 2 * round);
    }
}

TEST(ArenaExecutor, allocates_nothing_itself_when_it_blocks) {
    allocation_counts counts;
    const auto executor =
        require(arena_executor<>{arena{2}}, allocator(counting_allocator<>{counts}));
    bulk_execute(executor, [](std::size_t) {}, 100);
    execute(executor, [] {});
    EXPECT_EQ(counts.taken, 0);
}

TEST(ArenaExecutor, stays_on_its_arena_when_it_gets_other_properties) {
    const arena_executor<> executor{arena{3}};
    EXPECT_EQ(require(executor, blocking.never).context(), executor.context());
    EXPECT_EQ(require(require(executor, blocking.never), blocking.always), executor);
    EXPECT_NE(executor, arena_executor<>{arena{3}});
    EXPECT_EQ(arena_executor<>{}, arena_executor<>{});
    EXPECT_EQ(arena_executor<blocking_t::never_t>{}.context(), arena_executor<>{}.context());
}

TEST(ArenaExecutor, may_be_used_inside_its_own_work) {
    const arena_executor<> executor{arena{1}};
    std::atomic<int> calls{0};
    execute(executor, [&] {
        bulk_execute(executor, [&](std::size_t) { ++calls; }, 10);
        bulk_execute(require(executor, blocking.never), [&](std::size_t) { ++calls; }, 10).wait();
    });
    EXPECT_EQ(calls, 20);
}

TEST(ArenaExecutor, runs_every_agent_in_a_loop_that_was_cancelled) {
    const arena_executor<> executor{arena{2}};
    std::atomic<int> calls{0};
    const auto bulk_when_cancelled = [&] {
        tbb::task_group_context context;
        tbb::parallel_for(
            0, 1,
            [&](int) {
                context.cancel_group_execution();
                bulk_execute(executor, [&](std::size_t) { ++calls; }, 10);
                bulk_execute(
                    require(executor, blocking.never), [&](std::size_t) { ++calls; }, 10)
                    .wait();
            },
            context);
    };
    bulk_when_cancelled();
    execute(executor, bulk_when_cancelled);
    EXPECT_EQ(calls, 40);
}

TEST(Arena, runs_a_call_as_a_task_when_it_is_full) {
    const arena one{1};
    std::latch started{1};
    std::latch may_end{1};
    const auto busy = one.run([&] {
        started.count_down();
        may_end.wait();
    });
    started.wait();
    std::atomic<bool> called{false};
    std::jthread caller{[&] { one.call([&] { called = true; }); }};
    EXPECT_FALSE(called);
    may_end.count_down();
    caller.join();
    EXPECT_TRUE(called);
    busy.wait();
}

}  // namespace pointsman::test
