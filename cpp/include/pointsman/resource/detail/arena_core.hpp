// SPDX-License-Identifier: Apache-2.0
// The scheduler behind an arena: which thread runs which task, and how a wait makes progress.
#pragma once

#include <tbb/task.h>
#include <tbb/task_group.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/tbb_threads.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/detail/arena_entrance.hpp"
#include "pointsman/resource/detail/arena_frame.hpp"
#include "pointsman/resource/detail/arena_gate.hpp"
#include "pointsman/resource/detail/arena_threads.hpp"
#include "pointsman/resource/detail/arena_work.hpp"

namespace pointsman::detail {

/// State shared by the copies of an arena, its tasks and its threads; destroyed with the last of them,
/// which may be one of its threads.
///
/// Tasks wait in a queue. While fewer than `concurrency` tasks run, a thread is *summoned*, which runs
/// tasks until the queue is empty. The threads are pointsman's own: TBB has no more workers than cores
/// for the whole process, so blocking tasks, or a limit set elsewhere, would keep other arenas below their
/// concurrency. TBB's workers join the parallel loops of tasks.
///
/// A wait for one task never runs another task on the waiter's stack:
///
/// - inside a task, the waiter runs the awaited task itself, in the current slot, if that task has not
///   started (all slots of its arena might be held by threads that wait for the caller); if it has
///   started, the waiter blocks, or inside a parallel loop helps with parallel loops;
/// - elsewhere, the waiter runs the awaited task if the arena has room, and blocks otherwise.
class arena_core : public arena_service {
  public:
    /// **Throws**: `forked_process`, like everything that needs a thread, in a child forked after the
    /// first use of TBB's threads. Completed work can still be waited for.
    explicit arena_core(const arena_entrance::limits& limits) : limits_{limits} {
        tbb_threads::check();
    }

    [[nodiscard]] int concurrency() const noexcept { return limits_.threads; }

    /// **Throws**: `std::system_error` or `std::bad_alloc` if `work` will not run because the arena has
    /// no thread and gets none.
    void submit(ref<arena_work> work) {
        tbb_threads::use();
        arena_work& submitted = *work;
        std::unique_lock lock{mutex_};
        queue_.push(std::move(work));
        ++outstanding_;
        const bool needed = wants_thread();
        wake_blocked(lock);
        if (needed) {
            summon_for(submitted);
        }
    }

    /// Calls `function()` on the calling thread in a slot of the arena, or returns false if none is
    /// free.
    template <class F>
    [[nodiscard]] bool try_call(F& function) {
        tbb_threads::use();
        arena_entrance entrance{limits_};
        const held_slot here{*this};
        if (!here) {
            return false;
        }
        const arena_frame frame;
        entrance.call([&] { static_cast<void>(function()); });
        return true;
    }

    /// Returns when `work` is complete.
    void await(arena_work& work) {
        help(work);
        if (!work.is_ready() && tbb::task::current_context() != nullptr) {
            help_with_loops_until(work);
        }
        work.block();
    }

    /// Runs `work` on the calling thread if `work` has not started and a slot can be used.
    void help(arena_work& work) {
        if (work.is_ready()) {
            return;
        }
        tbb_threads::check();
        if (is_in_task()) {
            if (auto claimed = claim(work, slot::borrowed)) {
                run_one(std::move(claimed), slot::borrowed);
            }
        } else if (auto entrance = open_entrance()) {
            if (auto claimed = claim(work, slot::own)) {
                entrance->call([&] { run_one(std::move(claimed), slot::own); });
            }
        }
    }

    /// Drops `work` if it has not started; it is then complete. Returns true if it was dropped.
    bool cancel(arena_work& work) {
        const auto claimed = claim(work, slot::borrowed);
        if (!claimed) {
            return false;
        }
        claimed->drop();
        claimed->publish();
        claimed->release_waiters();
        std::unique_lock lock{mutex_};
        --outstanding_;
        wake_blocked(lock);
        return true;
    }

    /// `await_all` does not return until `release_hold` was called once for each `hold`. Without effect in
    /// a forked child, which has no waiting threads.
    void hold() noexcept {
        if (!tbb_threads::are_missing()) {
            const std::lock_guard lock{mutex_};
            ++holds_;
        }
    }
    void release_hold() noexcept {
        if (!tbb_threads::are_missing()) {
            std::unique_lock lock{mutex_};
            --holds_;
            wake_blocked(lock);
        }
    }

    /// Returns true when all tasks are complete and there are no holds. Tasks whose own thread is in
    /// `await_all` do not count if the caller is inside a task of this arena. Returns false at `deadline`;
    /// a task that the calling thread is then running is completed first. The calling thread runs queued
    /// tasks if it is inside a task or if it `helps`.
    bool await_all(const std::optional<clock::time_point>& deadline, bool helps) {
        tbb_threads::check();
        const bool in_task = is_in_task();
        const std::size_t own_tasks = arena_frame::count(this);
        auto entrance = helps && !in_task ? open_entrance() : std::nullopt;
        std::unique_lock lock{mutex_};
        suspended_ += own_tasks;
        changed_.notify_all();
        bool in_time = true;
        while (outstanding_ != (own_tasks > 0 ? suspended_ : 0) || holds_ > 0) {
            if (deadline && clock::now() >= *deadline) {
                in_time = false;
                break;
            }
            if (in_task && !queue_.empty()) {
                auto work = queue_.take(queue_.front());
                lock.unlock();
                run_one(std::move(work), slot::borrowed);
                lock.lock();
            } else if (entrance && !queue_.empty() && has_room()) {
                lock.unlock();
                entrance->call([this] { run_queued(stay::for_a_turn); });
                lock.lock();
            } else {
                block(lock, deadline);
            }
        }
        suspended_ -= own_tasks;
        return in_time;
    }

    /// Runs on a summoned thread. Tasks that run while the process exits do so without a TBB arena.
    void serve() noexcept override {
        const auto run_all = [this] {
            do {
                run_queued(stay::until_empty);
            } while (finds_more());
        };
        arena_gate& gate = arena_gate::instance();
        const bool may_enter = gate.set_out();
        auto entrance = may_enter ? open_entrance() : std::nullopt;
        {
            const std::lock_guard lock{mutex_};
            --summoned_;
        }
        if (entrance) {
            entrance->call([&] {
                gate.arrive();
                run_all();
                gate.set_out_or_stay();
            });
        }
        if (may_enter) {
            gate.arrive();
        }
        if (!entrance) {
            run_all();
        }
    }

  private:
    /// A task runs in its own slot, which counts against the arena's concurrency, or borrows the slot of
    /// the task that waits for it.
    enum class slot { own, borrowed };

    /// Whether a thread runs queued tasks for one `turn` or until the queue is empty.
    enum class stay { for_a_turn, until_empty };

    /// A slot of the arena for a scope, if one is free.
    class held_slot {
      public:
        explicit held_slot(arena_core& core) noexcept : core_{core} {
            const std::lock_guard lock{core_.mutex_};
            is_held_ = core_.has_room();
            core_.running_ += is_held_ ? 1 : 0;
        }
        held_slot(const held_slot&) = delete;
        held_slot& operator=(const held_slot&) = delete;
        ~held_slot() {
            if (!is_held_) {
                return;
            }
            std::unique_lock lock{core_.mutex_};
            --core_.running_;
            const bool needed = core_.wants_thread();
            lock.unlock();
            if (needed && !core_.try_summon()) {
                core_.run_queued(stay::until_empty);
            }
        }
        explicit operator bool() const noexcept { return is_held_; }

      private:
        arena_core& core_;
        bool is_held_ = false;
    };

    /// Returns true if the calling thread is inside a task, a call or a parallel loop.
    [[nodiscard]] static bool is_in_task() noexcept {
        return arena_frame::is_inside() || tbb::task::current_context() != nullptr;
    }

    [[nodiscard]] bool has_room() const noexcept { return running_ < limits_.threads; }

    /// Empty if there is not enough memory.
    [[nodiscard]] std::optional<arena_entrance> open_entrance() const noexcept {
        std::optional<arena_entrance> opened;
        try {
            opened.emplace(limits_);
        } catch (const std::bad_alloc&) {
            opened.reset();
        }
        return opened;
    }

    /// Releases `lock`, and wakes the threads that wait for all tasks.
    void wake_blocked(std::unique_lock<std::mutex>& lock) {
        const bool wake = blocked_ > 0;
        lock.unlock();
        if (wake) {
            changed_.notify_all();
        }
    }

    /// Returns when something has changed, at the latest at `deadline`.
    void block(std::unique_lock<std::mutex>& lock,
               const std::optional<clock::time_point>& deadline) {
        ++blocked_;
        if (deadline) {
            changed_.wait_until(lock, *deadline);
        } else {
            changed_.wait(lock);
        }
        --blocked_;
    }

    /// Returns true if a thread must be summoned, and counts it as summoned. At most one summoned thread is
    /// on its way; it summons the next if it finds more than one task. So tasks that are shorter than the
    /// start of a thread do not get more threads than they can use.
    [[nodiscard]] bool wants_thread() noexcept {
        const bool wanted = !queue_.empty() && summoned_ == 0 && has_room();
        summoned_ += wanted ? 1 : 0;
        return wanted;
    }

    void summon() { arena_threads::instance().call(ref<arena_service>::share(this)); }

    /// Summons a thread. If that fails and no other thread will run `submitted`, withdraws it and throws.
    void summon_for(arena_work& submitted) {
        try {
            summon();
        } catch (...) {
            ref<arena_work> given_up;
            std::unique_lock lock{mutex_};
            --summoned_;
            if (running_ == 0 && summoned_ == 0 && arena_queue::holds(submitted)) {
                given_up = queue_.take(submitted);
                --outstanding_;
                wake_blocked(lock);
                throw;
            }
        }
    }

    /// Returns false if no thread is available.
    [[nodiscard]] bool try_summon() noexcept {
        try {
            summon();
            return true;
        } catch (...) {
            const std::lock_guard lock{mutex_};
            --summoned_;
            return false;
        }
    }

    /// Runs tasks from the front of the queue; at the end of each turn, lets other threads share the lane.
    void run_queued(stay how_long) {
        std::unique_lock lock{mutex_};
        if (queue_.empty() || !has_room()) {
            return;
        }
        ++running_;
        ref<arena_work> work = queue_.take(queue_.front());
        const bool needed = wants_thread();
        lock.unlock();
        if (needed) {
            static_cast<void>(try_summon());
        }
        clock::time_point end_of_turn = clock::now() + turn;
        lane_scope lane;
        while (work) {
            lane.change_to(work->lane());
            const auto until =
                how_long == stay::for_a_turn ? end_of_turn : clock::time_point::max();
            if (run(work, slot::own, until) >= end_of_turn && work) {
                lane.share();
                end_of_turn = clock::now() + turn;
            }
        }
    }

    /// Polls the queue for `look_out`, since summoning a thread costs more than many tasks. At most one
    /// thread polls. Returns true if there is a task to run.
    [[nodiscard]] bool finds_more() {
        std::unique_lock lock{mutex_};
        if (summoned_ > 0 || !has_room()) {
            return false;
        }
        ++summoned_;
        lock.unlock();
        const clock::time_point end = clock::now() + look_out;
        while (queue_.size() == 0 && clock::now() < end) {
            std::this_thread::yield();
        }
        lock.lock();
        --summoned_;
        return !queue_.empty() && has_room();
    }

    [[nodiscard]] ref<arena_work> claim(arena_work& work, slot where) {
        const std::lock_guard lock{mutex_};
        if (!arena_queue::holds(work) || (where == slot::own && !has_room())) {
            return {};
        }
        running_ += where == slot::own ? 1 : 0;
        return queue_.take(work);
    }

    void run_one(ref<arena_work> work, slot where) {
        const lane_scope lane{work->lane()};
        run(work, where);
    }

    /// Runs `work` and returns when it ended. If that was before `until`, `work` is then its successor.
    clock::time_point run(ref<arena_work>& work, slot where, clock::time_point until = {}) {
        const arena_frame here{this};
        work->begun();
        work->call();
        work->publish();
        const clock::time_point end = work->outcome().end;
        work->release_waiters();
        work = {};  // before it counts as complete: `await_all` returns after its memory is freed

        std::unique_lock lock{mutex_};
        --outstanding_;
        running_ -= where == slot::own ? 1 : 0;
        if (end < until && !queue_.empty()) {
            work = queue_.take(queue_.front());
            ++running_;
        }
        const bool needed = wants_thread();
        wake_blocked(lock);
        if (needed && !try_summon() && !work) {
            run_queued(stay::until_empty);  // the only thread that the arena has
        }
        return end;
    }

    /// Waits in TBB, which meanwhile runs only chunks of parallel loops on this thread.
    static void help_with_loops_until(arena_work& work) {
        tbb::task_group gate;
        tbb::task_handle latch = gate.defer([] {});
        arena_work::observer opens{.callback = {.invoke =
                                                    [](void* held, const completion&) noexcept {
                                                        *static_cast<tbb::task_handle*>(held) = {};
                                                    },
                                                .context = &latch}};
        work.observe(opens);
        gate.wait();
    }

    static constexpr std::chrono::microseconds turn{100};
    static constexpr std::chrono::microseconds look_out{20};

    const arena_entrance::limits limits_;

    std::mutex mutex_;
    std::condition_variable changed_;
    arena_queue queue_;
    int summoned_ = 0;             // threads on their way to the queue
    int running_ = 0;              // tasks and calls in a slot of the arena
    int blocked_ = 0;              // threads in await_all that are notified of changes
    std::size_t outstanding_ = 0;  // tasks that are not complete
    std::size_t holds_ = 0;
    std::size_t suspended_ = 0;  // outstanding tasks whose thread is in await_all
};

}  // namespace pointsman::detail
