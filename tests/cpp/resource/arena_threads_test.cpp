// SPDX-License-Identifier: Apache-2.0
// An arena runs as many tasks at once as it promises, on its own threads.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <latch>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/resource/arena.hpp"
#include "support/eventually.hpp"
#include "support/forked_child.hpp"
#include "support/sanitized.hpp"

namespace pointsman::test {
namespace {

/// `EXPECT_EXIT` in a new process, where no arena has been used yet.
#define POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(statement) \
    GTEST_FLAG_SET(death_test_style, "threadsafe");       \
    EXPECT_EXIT(statement, testing::ExitedWithCode(0), "")

using detail::arena_threads;
using namespace std::chrono_literals;

/// Keeps all of TBB's workers and their slots blocked.
class blocked_workers {
  public:
    blocked_workers() {
        for (int i = 0; i < count_; ++i) {
            arena_.enqueue([this] { occupy_worker_of_tbb(); });
        }
        began_.wait();
    }
    ~blocked_workers() {
        gate_.count_down();
        ended_.wait();
    }
    blocked_workers(const blocked_workers&) = delete;
    blocked_workers& operator=(const blocked_workers&) = delete;

  private:
    // tests/sanitizers/tsan.supp knows this name.
    void occupy_worker_of_tbb() {
        began_.count_down();
        gate_.wait();
        ended_.count_down();
    }

    const int count_ = static_cast<int>(tbb::global_control::active_value(
                           tbb::global_control::max_allowed_parallelism)) -
                       1;
    std::latch began_{count_};
    std::latch gate_{1};
    std::latch ended_{count_};
    tbb::task_arena arena_{count_ + 1};
};

/// Fills every slot of the arenas with a task, and returns when all these tasks have run at the same time.
void fill(const std::vector<arena>& arenas) {
    std::ptrdiff_t slots = 0;
    for (const arena& each : arenas) {
        slots += each.concurrency();
    }
    std::latch together{slots};
    for (const arena& each : arenas) {
        for (int i = 0; i < each.concurrency(); ++i) {
            each.run([&] { together.arrive_and_wait(); });
        }
    }
    for (const arena& each : arenas) {
        ASSERT_TRUE(each.wait_until(clock::now() + 30s));
    }
}

TEST(ThreadsOfArenas, run_a_task_in_every_slot_at_once) {
    fill({arena{1}});
    fill({arena{2}});
    fill({arena{7}});
    fill({arena{40}});
}

TEST(ThreadsOfArenas, run_tasks_of_all_arenas_at_once) {
    fill({arena{1}, arena{1}, arena{1}, arena{1}, arena{1}});
    fill({arena{3}, arena{1}, arena{16}, arena{}});
}

TEST(ThreadsOfArenas, run_tasks_while_the_workers_of_tbb_are_blocked) {
    const blocked_workers busy;
    fill({arena{1}, arena{4}});
}

TEST(ThreadsOfArenas, run_tasks_even_if_the_program_allows_tbb_one_thread) {
    const tbb::global_control single{tbb::global_control::max_allowed_parallelism, 1};
    fill({arena{1}, arena{4}});
}

TEST(ThreadsOfArenas, are_never_more_than_the_concurrency_when_calls_and_waits_take_part) {
    for (const int concurrency : {1, 3}) {
        const arena narrow{concurrency};
        std::atomic<int> now{0};
        std::atomic<int> most{0};
        const auto work = [&] {
            const int mine = ++now;
            int seen = most;
            while (seen < mine && !most.compare_exchange_weak(seen, mine)) {
            }
            std::this_thread::yield();
            --now;
        };
        std::vector<std::jthread> users;
        for (int t = 0; t < 4; ++t) {
            users.emplace_back([&, t] {
                for (int i = 0; i < 300; ++i) {
                    if ((i + t) % 3 == 0) {
                        narrow.call(work);
                    } else if ((i + t) % 3 == 1) {
                        narrow.run(work).wait();
                    } else {
                        narrow.run(work);
                    }
                }
                narrow.wait();
            });
        }
        users.clear();
        EXPECT_LE(most, concurrency);
    }
}

TEST(ThreadsOfArenas, leave_the_settings_of_tbb_alone) {
    constexpr auto limit = tbb::global_control::max_allowed_parallelism;
    const auto before = tbb::global_control::active_value(limit);
    fill({arena{4}});
    EXPECT_EQ(tbb::global_control::active_value(limit), before);
}

TEST(ThreadsOfArenas, keep_each_loop_to_the_threads_of_its_arena) {
    const arena one{1};
    std::set<std::thread::id> seen;
    const auto loop = [&] {
        EXPECT_EQ(tbb::this_task_arena::max_concurrency(), 1);
        tbb::parallel_for(0, 1000, [&](int) { seen.insert(std::this_thread::get_id()); });
    };
    one.run(loop).wait();
    one.call(loop);
    EXPECT_LE(seen.size(), 2U);
}

TEST(ThreadsOfArenas, keep_loops_to_the_threads_of_the_inner_arena) {
    const arena wide{2};
    const arena narrow{1};
    wide.run([&] {
            narrow.call([] { EXPECT_EQ(tbb::this_task_arena::max_concurrency(), 1); });
            EXPECT_EQ(tbb::this_task_arena::max_concurrency(),
                      std::min(2, tbb::info::default_concurrency()));
        })
        .wait();
}

TEST(ThreadsOfArenas, serve_a_thread_that_uses_arenas_of_many_sizes) {
    for (int round = 0; round < 3; ++round) {
        for (int width = 1; width < 12; ++width) {
            const arena cores{width};
            int inside = 0;
            cores.call([&] { arena{width + 1}.call([&] { inside = width; }); });
            EXPECT_EQ(inside, width);
        }
    }
}

TEST(ThreadsOfArenas, are_passed_from_one_arena_to_the_next) {
    arena_threads& threads = arena_threads::instance();
    fill({arena{4}});
    const auto before = threads.size();
    for (int i = 0; i < 200; ++i) {
        const arena used_once{2};
        used_once.run([] {});
        used_once.wait();
        ASSERT_TRUE(eventually([&] { return threads.idle() == threads.size(); }));
    }
    EXPECT_EQ(threads.size(), before);
}

/// Counts the calls of `serve`.
struct counted_service final : detail::arena_service {
    void serve() noexcept override { ++served; }
    std::atomic<int> served{0};
};

detail::ref<detail::arena_service> share(const detail::ref<counted_service>& service) {
    return detail::ref<detail::arena_service>::share(service.get());
}

TEST(ThreadsOfArenas, end_after_a_long_time_without_calls) {
    arena_threads threads{0ms};
    const auto service = detail::make_ref<counted_service>();
    threads.call(share(service));
    EXPECT_TRUE(eventually([&] { return service->served == 1 && threads.size() == 0; }));
    threads.call(share(service));
    EXPECT_TRUE(eventually([&] { return service->served == 2 && threads.size() == 0; }));
}

TEST(ThreadsOfArenas, stay_for_the_next_call_until_then) {
    arena_threads threads{1h};
    const auto service = detail::make_ref<counted_service>();
    for (int i = 1; i <= 50; ++i) {
        threads.call(share(service));
        EXPECT_TRUE(eventually([&] { return service->served == i && threads.idle() == 1; }));
    }
    EXPECT_EQ(threads.size(), 1U);
}

TEST(ThreadsOfArenas, serve_every_call_before_they_are_destroyed) {
    const auto service = detail::make_ref<counted_service>();
    for (int round = 0; round < 20; ++round) {
        arena_threads threads{round % 2 == 0 ? clock::duration{0ms} : clock::duration{1h}};
        for (int i = 0; i < 10; ++i) {
            threads.call(share(service));
        }
    }
    EXPECT_EQ(service->served, 200);
}

// The sanitizers map additional memory at any time, so the address space cannot be limited.
#ifndef POINTSMAN_TEST_SANITIZED
/// While it exists, no thread can be started: no address space is left for a stack.
class without_threads {
  public:
    without_threads() {
        getrlimit(RLIMIT_AS, &before_);
        std::size_t pages = 0;
        std::ifstream{"/proc/self/statm"} >> pages;
        const rlimit now{pages * 4096 + (1U << 20), before_.rlim_max};
        setrlimit(RLIMIT_AS, &now);
    }
    ~without_threads() { setrlimit(RLIMIT_AS, &before_); }
    without_threads(const without_threads&) = delete;
    without_threads& operator=(const without_threads&) = delete;

  private:
    rlimit before_{};
};

bool refuses_work_without_a_thread() {
    const arena one{1};
    bool ran = false;
    {
        const without_threads scope;
        try {
            one.run([&] { ran = true; });
            return false;
        } catch (const std::system_error&) {
        }
    }
    one.wait();
    return !ran && one.run([] { return 7; }).get() == 7;
}

bool lends_a_caller_when_no_thread_can_be_started() {
    const arena one{1};
    bool ran = false;
    one.call([] {});  // the first use of TBB allocates memory
    const without_threads scope;
    one.call([&] { one.run([&] { ran = true; }); });
    one.wait();
    return ran;
}

TEST(ThreadsOfArenas, that_cannot_be_started_are_an_error_of_the_submission) {
    POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(std::_Exit(refuses_work_without_a_thread() ? 0 : 1));
}

TEST(ThreadsOfArenas, that_cannot_be_started_are_replaced_by_the_calling_thread) {
    POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(
        std::_Exit(lends_a_caller_when_no_thread_can_be_started() ? 0 : 1));
}
#endif

TEST(ThreadsOfArenas, do_not_delay_the_exit_of_the_process_with_their_tasks) {
    const auto leave_with_work = [] {
        fill({arena{4}});
        static std::latch never{1};
        static const arena one{1};
        one.run([] { never.wait(); });
        one.run([] {});
        alarm(20);
        std::exit(0);
    };
    POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(leave_with_work());
}

TEST(ThreadsOfArenas, may_be_starting_when_the_process_ends) {
    const auto leave_at_once = [] {
        alarm(20);
        const arena two{2};
        two.run([] {}).wait();
        two.run([] {});
        std::exit(0);
    };
    for (int i = 0; i < 5; ++i) {
        POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(leave_at_once());
    }
}

TEST(ThreadsOfArenas, may_end_the_process_from_a_task) {
    const auto leave_from_a_task = [] {
        alarm(20);
        const arena two{2};
        two.run([] { std::exit(0); });
        two.wait();
    };
    POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(leave_from_a_task());
}

/// Calls its arena after the objects of the main thread have been destroyed.
struct late_user {
    explicit late_user(const arena& used) : where{used} {}
    late_user(const late_user&) = delete;
    late_user& operator=(const late_user&) = delete;
    ~late_user() {
        int calls = 0;
        where.call([&] { ++calls; });
        calls += where.run([] { return 1; }).get();
        if (calls != 2) {
            std::_Exit(1);
        }
    }
    arena where;
};

TEST(ThreadsOfArenas, serve_the_destructors_of_static_objects) {
    const auto leave = [] {
        alarm(20);
        static const late_user user{arena{1}};
        user.where.call([] {});
        user.where.run([] {}).wait();
        std::exit(0);
    };
    POINTSMAN_EXPECT_EXIT_IN_A_NEW_PROCESS(leave());
}

TEST(ArenaCall, runs_in_a_loop_that_was_cancelled) {
    const arena cores{4};
    std::atomic<int> called{0};
    const auto call_when_cancelled = [&] {
        tbb::task_group_context context;
        tbb::parallel_for(
            0, 1,
            [&](int) {
                context.cancel_group_execution();
                cores.call([&] { ++called; });
                cores.run([&] { ++called; }).wait();
            },
            context);
    };
    call_when_cancelled();
    cores.call(call_when_cancelled);
    cores.run(call_when_cancelled).wait();
    EXPECT_EQ(called, 6);
}

TEST(ArenaCall, that_throws_releases_its_slot) {
    const arena one{1};
    for (int i = 0; i < 3; ++i) {
        EXPECT_THROW(one.call([] { throw std::runtime_error{"broken lens"}; }), std::runtime_error);
    }
    fill({one});
}

TEST(ArenaCall, occupies_a_slot_of_the_arena) {
    const arena one{1};
    std::atomic<bool> ran{false};
    one.call([&] {
        one.run([&] { ran = true; });
        EXPECT_FALSE(one.wait_until(clock::now() - 1s));
        EXPECT_FALSE(ran);
    });
    EXPECT_TRUE(one.wait_until(clock::now() + 30s));
    EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace pointsman::test
