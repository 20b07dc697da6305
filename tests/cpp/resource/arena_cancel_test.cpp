// SPDX-License-Identifier: Apache-2.0
// Cancelling an arena's tasks before they begin, and the lane that a thread holds while it runs tasks.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/resource/arena.hpp"

namespace {

using pointsman::arena;

/// An arena of one thread that is busy until `open` is called.
class busy_arena {
  public:
    busy_arena()
        : running_{cores.run([this] {
              began_.count_down();
              gate_.wait();
          })} {
        began_.wait();
    }
    ~busy_arena() {
        running_.wait();
        cores.wait();
    }
    void open() { gate_.count_down(); }

    arena cores{1};

  private:
    std::latch began_{1};
    std::latch gate_{1};
    pointsman::arena_task<void> running_;
};

TEST(ArenaCancel, a_queued_task_is_dropped_and_never_runs) {
    busy_arena busy;
    bool ran = false;
    auto task = busy.cores.run([&ran] { ran = true; });
    EXPECT_TRUE(task.cancel());
    EXPECT_TRUE(task.is_ready());
    EXPECT_FALSE(task.outcome().succeeded);
    EXPECT_THROW(task.wait(), pointsman::work_cancelled);
    busy.open();
    busy.cores.wait();
    EXPECT_FALSE(ran);
}

TEST(ArenaCancel, destroys_the_function_of_the_task) {
    busy_arena busy;
    auto held = std::make_shared<int>(3);
    auto task = busy.cores.run([held] { return *held; });
    EXPECT_EQ(held.use_count(), 2);
    EXPECT_TRUE(task.cancel());
    EXPECT_EQ(held.use_count(), 1);
    busy.open();
}

TEST(ArenaCancel, has_no_effect_on_running_or_completed_tasks) {
    std::latch began{1};
    std::latch gate{1};
    arena cores{1};
    auto task = cores.run([&] {
        began.count_down();
        gate.wait();
        return 5;
    });
    began.wait();
    EXPECT_FALSE(task.cancel());
    gate.count_down();
    EXPECT_EQ(task.get(), 5);
    EXPECT_FALSE(task.cancel());
}

TEST(ArenaCancel, calls_registered_callbacks) {
    busy_arena busy;
    auto task = busy.cores.run([] {});
    bool called = false;
    task.on_completion(
        {.invoke = [](void* flag,
                      const pointsman::completion&) noexcept { *static_cast<bool*>(flag) = true; },
         .context = &called});
    EXPECT_TRUE(task.cancel());
    EXPECT_TRUE(called);
    busy.open();
}

TEST(ArenaCancel, wakes_a_thread_that_waits_for_the_arena) {
    busy_arena busy;
    auto task = busy.cores.run([] {});
    std::thread waiter{[&] { busy.cores.wait(); }};
    EXPECT_TRUE(task.cancel());
    busy.open();
    waiter.join();
}

/// Counts its uses. In these tests one thread at a time holds the lane.
struct counting_lane final : pointsman::detail::arena_lane {
    token enter() noexcept override { return ++taken; }
    token share(token entered) noexcept override {
        ++shared;
        return entered;
    }
    void leave(token entered) noexcept override { left += entered == taken ? 1 : 0; }
    /// A thread leaves the lane after its last task has completed.
    void wait_until_left() const {
        while (left != taken) {
            std::this_thread::yield();
        }
    }
    std::atomic<int> taken{0};
    std::atomic<int> shared{0};
    std::atomic<int> left{0};
};

/// Work that requires `lane` and takes the given time.
class lane_work final : public pointsman::detail::arena_work {
  public:
    lane_work(counting_lane& lane, std::vector<int>& log, std::chrono::milliseconds takes = {})
        : lane_{&lane}, log_{&log}, takes_{takes} {}
    [[nodiscard]] pointsman::detail::arena_lane* lane() const noexcept override { return lane_; }
    void call() noexcept override {
        log_->push_back(lane_->taken - lane_->left);
        std::this_thread::sleep_for(takes_);
        note_end(true);
    }
    void drop() noexcept override { note_end(false); }

  private:
    counting_lane* lane_;
    std::vector<int>* log_;
    std::chrono::milliseconds takes_;
};

TEST(ArenaLane, is_held_during_work_that_requires_it_and_released_after_a_run) {
    counting_lane lane;
    std::vector<int> held;
    {
        busy_arena busy;
        for (int i = 0; i < 3; ++i) {
            busy.cores.start(
                [&](auto) { return pointsman::detail::make_ref<lane_work>(lane, held); });
        }
        busy.open();
    }
    lane.wait_until_left();
    EXPECT_EQ(held, (std::vector<int>{1, 1, 1}));
    EXPECT_LE(lane.taken, 3);
}

TEST(ArenaLane, is_shared_between_long_tasks) {
    counting_lane lane;
    std::vector<int> held;
    {
        busy_arena busy;
        for (int i = 0; i < 3; ++i) {
            busy.cores.start([&](auto) {
                return pointsman::detail::make_ref<lane_work>(lane, held,
                                                              std::chrono::milliseconds{1});
            });
        }
        busy.open();
    }
    lane.wait_until_left();
    EXPECT_EQ(lane.shared + lane.taken, 3);
}

}  // namespace
