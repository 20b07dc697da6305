// SPDX-License-Identifier: Apache-2.0
// The arena and its tasks: order, waits, results, completion callbacks.
#include "pointsman/resource/arena.hpp"

#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using pointsman::arena;
using pointsman::completion;
using pointsman::completion_callback;

/// Counts calls and stores the last completion.
struct recorder {
    std::atomic<int> calls{0};
    completion last{};

    completion_callback callback() {
        return {.invoke =
                    [](void* self, const completion& end) noexcept {
                        static_cast<recorder*>(self)->last = end;
                        ++static_cast<recorder*>(self)->calls;
                    },
                .context = this};
    }
};

std::string message_of(std::optional<int> concurrency, std::optional<int> node) {
    try {
        arena made{concurrency, node};
    } catch (const pointsman::invalid_option& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(Arena, runs_a_function_and_returns_its_result) {
    arena cores;
    auto task = cores.run([] { return std::vector<int>{1, 2, 3}; });
    const std::vector<int>& kept = task.get();
    EXPECT_EQ(kept, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(&kept, &task.get());
    EXPECT_TRUE(task.is_ready());
}

TEST(Arena, runs_functions_without_a_result) {
    arena cores;
    int seen = 0;
    auto task = cores.run([&seen] { seen = 7; });
    static_assert(std::is_void_v<decltype(task)::value_type>);
    task.get();
    EXPECT_EQ(seen, 7);
}

TEST(Arena, runs_plain_functions_and_move_only_functions) {
    arena cores;
    auto owned = std::make_unique<int>(5);
    EXPECT_EQ(cores.run([owned = std::move(owned)] { return *owned; }).get(), 5);
    int (*plain)() = +[] { return 6; };
    EXPECT_EQ(cores.run(plain).get(), 6);
}

TEST(Arena, returns_move_only_results_and_references) {
    arena cores;
    auto task = cores.run([] { return std::make_unique<int>(8); });
    const std::unique_ptr<int> result = std::move(task).get();
    EXPECT_EQ(*result, 8);
    int target = 0;
    EXPECT_EQ(&cores.run([&]() -> int& { return target; }).get(), &target);
}

TEST(Arena, keeps_an_exception_for_every_wait) {
    arena cores;
    auto task = cores.run([]() -> int { throw std::runtime_error{"broken lens"}; });
    const auto copy = task;
    EXPECT_THROW(task.wait(), std::runtime_error);
    EXPECT_THROW(static_cast<void>(copy.get()), std::runtime_error);
    EXPECT_FALSE(task.outcome().succeeded);
    EXPECT_EQ(cores.run([] { return 1; }).get(), 1);
}

TEST(Arena, destroys_the_function_before_a_wait_returns) {
    arena cores;
    auto captured = std::make_shared<int>(1);
    auto task = cores.run([captured] {});
    task.wait();
    EXPECT_EQ(captured.use_count(), 1);
}

TEST(Arena, starts_tasks_in_the_order_of_submission) {
    arena one{1};
    std::vector<int> order;
    for (int i = 0; i < 1000; ++i) {
        one.run([&order, i] { order.push_back(i); });
    }
    one.wait();
    std::vector<int> expected(1000);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
}

TEST(Arena, runs_at_most_as_many_tasks_as_its_concurrency) {
    for (const int concurrency : {1, 2}) {
        arena narrow{concurrency};
        std::atomic<int> now{0};
        std::atomic<int> most{0};
        for (int i = 0; i < 200; ++i) {
            auto task = narrow.run([&] {
                int seen = most;
                const int mine = ++now;
                while (seen < mine && !most.compare_exchange_weak(seen, mine)) {
                }
                --now;
            });
            if (i % 3 == 0) {
                task.wait();
            }
        }
        narrow.wait();
        EXPECT_LE(most, concurrency);
    }
}

TEST(Arena, fills_all_its_threads_while_the_submitting_thread_is_elsewhere) {
    const int cores = arena{}.concurrency();
    arena all{cores};
    std::latch together{cores + 1};
    for (int i = 0; i < cores; ++i) {
        all.run([&] { together.arrive_and_wait(); });
    }
    together.arrive_and_wait();
    all.wait();
}

TEST(Arena, runs_parallel_loops_inside_a_task) {
    arena two{2};
    EXPECT_EQ(two.concurrency(), 2);
    std::atomic<int> sum{0};
    two.run([&] { tbb::parallel_for(0, 1000, [&](int i) { sum += i; }); }).wait();
    EXPECT_EQ(sum, 499500);
}

TEST(Arena, a_wait_inside_an_arena_of_one_runs_the_awaited_task) {
    arena one{1};
    auto task = one.run([&] {
        auto first = one.run([] { return 1; });
        auto second = one.run([&] { return one.run([] { return 10; }).get() + 1; });
        return second.get() + first.get();
    });
    EXPECT_EQ(task.get(), 12);
}

TEST(Arena, a_wait_inside_a_task_helps_with_the_loops_of_the_awaited_task) {
    arena two{2};
    std::latch started{1};
    std::atomic<int> sum{0};
    auto inner = two.run([&] {
        started.count_down();
        tbb::parallel_for(0, 10000, [&](int i) { sum += i; });
    });
    auto outer = two.run([&] {
        started.wait();
        inner.wait();
    });
    outer.wait();
    EXPECT_EQ(sum, 49995000);
}

TEST(Arena, a_wait_for_everything_inside_a_task_excludes_that_task) {
    arena one{1};
    std::atomic<int> done{0};
    auto task = one.run([&] {
        for (int i = 0; i < 10; ++i) {
            one.run([&] { ++done; });
        }
        one.wait();
        return done.load();
    });
    EXPECT_EQ(task.get(), 10);
}

TEST(Arena, tasks_that_wait_for_everything_do_not_wait_for_each_other) {
    arena two{2};
    std::latch both{2};
    for (int i = 0; i < 2; ++i) {
        two.run([&] {
            both.arrive_and_wait();
            two.wait();
        });
    }
    two.wait();
}

TEST(Arena, two_arenas_whose_tasks_wait_for_each_other_finish) {
    arena left{1};
    arena right{1};
    struct recursion {
        arena& here;
        arena& there;
        int operator()(int depth) const {
            if (depth == 0) {
                return 1;
            }
            const recursion swapped{there, here};
            auto a = there.run([swapped, depth] { return swapped(depth - 1); });
            auto b = here.run([this, depth] { return (*this)(depth - 1); });
            return a.get() + b.get();
        }
    };
    const recursion walk{left, right};
    EXPECT_EQ(left.run([&] { return walk(7); }).get(), 128);
}

TEST(Arena, an_outside_wait_makes_progress_while_other_arenas_hold_all_threads) {
    const int cores = arena{}.concurrency();
    arena held{2 * cores + 2};
    std::latch release{1};
    for (int i = 0; i < 2 * cores + 2; ++i) {
        held.run([&] { release.wait(); });
    }
    arena other{1};
    EXPECT_EQ(other.run([] { return 3; }).get(), 3);
    other.run([] {});
    other.wait();
    release.count_down();
    held.wait();
}

TEST(Arena, a_task_that_blocks_does_not_hold_up_a_wait_for_another) {
    for (int round = 0; round < 100; ++round) {
        arena two{2};
        std::latch started{1};
        std::latch release{1};
        auto blocked = two.run([&] {
            started.count_down();
            release.wait();
        });
        started.wait();
        auto quick = two.run([] { return 4; });
        two.run([&] { release.wait(); });
        EXPECT_EQ(quick.get(), 4);
        release.count_down();
        blocked.wait();
        two.wait();
    }
}

TEST(Arena, work_in_flight_outlives_the_last_handle) {
    std::latch release{1};
    std::latch done{20};
    {
        arena cores;
        for (int i = 0; i < 20; ++i) {
            cores.run([&] {
                release.wait();
                done.count_down();
            });
        }
    }
    release.count_down();
    done.wait();
}

TEST(Arena, may_be_dropped_inside_its_own_task) {
    for (int round = 0; round < 50; ++round) {
        auto last = std::make_unique<arena>(2);
        std::latch release{1};
        std::latch done{1};
        arena* handle = last.get();
        handle->run([&release, &done, last = std::move(last)]() mutable {
            release.wait();
            last.reset();
            done.count_down();
        });
        release.count_down();
        done.wait();
    }
}

TEST(Arena, waits_for_everything_that_was_submitted) {
    arena cores;
    std::atomic<int> done{0};
    for (int i = 0; i < 500; ++i) {
        cores.run([&] { ++done; });
    }
    cores.run([] { throw std::runtime_error{"not reported by arena::wait"}; });
    cores.wait();
    EXPECT_EQ(done, 500);
    cores.wait();
}

TEST(Arena, waits_for_everything_until_the_given_time) {
    const arena one{1};
    std::latch started{1};
    std::latch release{1};
    one.run([&] {
        started.count_down();
        release.wait();
    });
    const auto queued = one.run([] {});
    started.wait();
    EXPECT_FALSE(one.wait_until(pointsman::clock::now()));
    EXPECT_FALSE(one.wait_until(pointsman::clock::now() + std::chrono::milliseconds{1}, true));
    EXPECT_FALSE(queued.is_ready());
    release.count_down();
    EXPECT_TRUE(one.wait_until(pointsman::clock::now() + std::chrono::minutes{1}));
    EXPECT_TRUE(queued.is_ready());
}

TEST(Arena, runs_queued_tasks_while_a_task_waits_for_everything_with_a_limit) {
    const arena one{1};
    const auto task = one.run([&] {
        const auto queued = one.run([] { return 7; });
        EXPECT_FALSE(one.wait_until(pointsman::clock::now()));
        EXPECT_TRUE(one.wait_until(pointsman::clock::now() + std::chrono::minutes{1}));
        return queued.is_ready() ? queued.get() : 0;
    });
    EXPECT_EQ(task.get(), 7);
}

TEST(Arena, calls_back_once_whether_registered_before_or_after_completion) {
    arena cores;
    std::latch release{1};
    std::vector<recorder> before(3);
    auto task = cores.run([&] { release.wait(); });
    for (recorder& r : before) {
        task.on_completion(r.callback());
        EXPECT_EQ(r.calls, 0);
    }
    release.count_down();
    task.wait();
    recorder after;
    task.on_completion(after.callback());
    EXPECT_EQ(after.calls, 1);
    for (const recorder& r : before) {
        EXPECT_EQ(r.calls, 1);
        EXPECT_TRUE(r.last.succeeded);
        EXPECT_EQ(r.last.end, after.last.end);
    }
}

TEST(Arena, calls_back_even_if_no_handle_is_left) {
    arena cores;
    recorder recorded;
    std::latch release{1};
    cores.run([&] { release.wait(); }).on_completion(recorded.callback());
    release.count_down();
    cores.wait();
    EXPECT_EQ(recorded.calls, 1);
}

TEST(Arena, reports_exactly_when_the_function_returned) {
    arena cores;
    pointsman::clock::time_point inside;
    const auto start = pointsman::clock::now();
    auto task = cores.run([&] { inside = pointsman::clock::now(); });
    task.wait();
    EXPECT_LE(start, inside);
    EXPECT_LE(inside, task.outcome().end);
    EXPECT_LE(task.outcome().end, pointsman::clock::now());
    EXPECT_TRUE(task.outcome().exact);
}

TEST(Arena, copies_are_equal_and_share_their_work) {
    arena cores;
    const arena copy = cores;
    const arena other;
    EXPECT_EQ(cores, copy);
    EXPECT_NE(cores, other);
    int seen = 0;
    copy.run([&] { seen = 1; });
    cores.wait();
    EXPECT_EQ(seen, 1);
}

TEST(Arena, has_the_requested_concurrency_or_that_of_the_machine) {
    EXPECT_EQ(arena{3}.concurrency(), 3);
    EXPECT_EQ(arena{}.concurrency(), tbb::info::default_concurrency());
    EXPECT_EQ(arena{}.numa_node(), std::nullopt);
}

TEST(Arena, explains_an_invalid_concurrency) {
    EXPECT_EQ(message_of(0, {}),
              "an arena cannot have a concurrency of 0: pass a number from 1 to 16384, or none for "
              "all cores");
    EXPECT_NE(message_of(-1, {}).find("concurrency of -1"), std::string::npos);
    EXPECT_NE(message_of(16385, {}).find("concurrency of 16385"), std::string::npos);
    EXPECT_EQ(arena{arena::max_concurrency}.run([] { return 2; }).get(), 2);
}

TEST(Arena, explains_an_invalid_numa_node) {
    EXPECT_NE(message_of({}, 4711).find("NUMA node 4711 is not known: pass "), std::string::npos);
    EXPECT_NE(message_of({}, -1).find("NUMA node -1"), std::string::npos);
}

TEST(Arena, runs_on_every_numa_node_that_it_lists) {
    for (const int node : arena::numa_nodes()) {
        arena bound{arena::automatic, node};
        EXPECT_EQ(bound.numa_node(), node);
        EXPECT_EQ(bound.run([] { return 9; }).get(), 9);
    }
}

TEST(Arena, the_default_universe_covers_the_machine) {
    const auto found = pointsman::default_universe<arena>::get();
    int cores = 0;
    for (const arena& each : found) {
        cores += each.concurrency();
    }
    EXPECT_EQ(cores, tbb::info::default_concurrency());
}

class ArenaThreads : public testing::TestWithParam<int> {};

TEST_P(ArenaThreads, submit_and_wait_concurrently) {
    arena cores;
    std::atomic<int> done{0};
    std::vector<std::thread> submitters;
    for (int t = 0; t < GetParam(); ++t) {
        submitters.emplace_back([&] {
            for (int i = 0; i < 200; ++i) {
                auto task = cores.run([&done, i] {
                    ++done;
                    return i;
                });
                if (i % 4 == 0) {
                    EXPECT_EQ(task.get(), i);
                }
            }
            cores.wait();
        });
    }
    for (std::thread& thread : submitters) {
        thread.join();
    }
    EXPECT_EQ(done, 200 * GetParam());
}

TEST_P(ArenaThreads, wait_for_one_task_together) {
    arena one{1};
    std::latch release{1};
    auto task = one.run([&] {
        release.wait();
        return 5;
    });
    std::vector<recorder> recorders(static_cast<std::size_t>(GetParam()));
    std::vector<std::thread> waiters;
    for (recorder& r : recorders) {
        waiters.emplace_back([&] {
            task.on_completion(r.callback());
            EXPECT_EQ(task.get(), 5);
            EXPECT_EQ(r.calls, 1);
        });
    }
    release.count_down();
    for (std::thread& thread : waiters) {
        thread.join();
    }
}

INSTANTIATE_TEST_SUITE_P(Arena, ArenaThreads, testing::Values(1, 2, 7, 16),
                         [](const auto& threads) {
                             return "threads_" + std::to_string(threads.param);
                         });

}  // namespace
