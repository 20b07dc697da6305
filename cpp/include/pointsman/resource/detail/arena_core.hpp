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
/// Tasks wait in a queue. A thread is *summoned* for them while fewer than `concurrency` are at work,
/// and runs tasks until the queue is empty. The threads are pointsman's own: TBB has no more workers
/// than cores for the whole process, so blocking tasks, or a limit set elsewhere, would keep other
/// arenas from the concurrency they promise. TBB's workers join the parallel loops of tasks.
///
/// A wait for one task never runs another task on the waiter's stack:
///
/// - inside a task it runs the awaited task itself, in the current slot, if that has not started (a
///   slot of the arena might be held by a thread that waits for the caller); if it has started, the
///   wait blocks, or inside a parallel loop helps with such loops;
/// - elsewhere it runs the awaited task if the arena has room, and blocks otherwise.
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
        const held_place here{*this};
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

    /// Runs `work` on the calling thread if that is possible and `work` has not started.
    void help(arena_work& work) {
        if (work.is_ready()) {
            return;
        }
        tbb_threads::check();
        if (is_in_task()) {
            if (auto claimed = claim(work, place::lent)) {
                run_alone(std::move(claimed), place::lent);
            }
        } else if (auto entrance = open_entrance()) {
            if (auto claimed = claim(work, place::own)) {
                entrance->call([&] { run_alone(std::move(claimed), place::own); });
            }
        }
    }

    /// Drops `work` if it has not started; it is then complete. Returns true if it was dropped.
    bool cancel(arena_work& work) {
        const auto claimed = claim(work, place::lent);
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

    /// `await_all` does not return until each `hold` has its `release_hold`. A forked child has no waiting
    /// threads.
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

    /// Returns true when all tasks are complete and nothing holds the arena; inside tasks of this
    /// arena, when all tasks except those that wait like this are. Returns false at `deadline`, or when
    /// a task completes that the calling thread was running at that time: inside a task it runs tasks
    /// in queue order, elsewhere if it `helps`.
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
                run_alone(std::move(work), place::lent);
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
    /// Whether a task counts against the arena's concurrency, or runs in the slot of the task that
    /// waits for it.
    enum class place { own, lent };

    /// How long a thread continues with queued tasks.
    enum class stay { for_a_turn, until_empty };

    /// A slot of the arena for a scope, if one is free.
    class held_place {
      public:
        explicit held_place(arena_core& core) noexcept : core_{core} {
            const std::lock_guard lock{core_.mutex_};
            is_held_ = core_.has_room();
            core_.running_ += is_held_ ? 1 : 0;
        }
        held_place(const held_place&) = delete;
        held_place& operator=(const held_place&) = delete;
        ~held_place() {
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

    /// Empty if there is no memory for one.
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

    /// Only one summoned thread at a time is on its way; it summons the next when it finds more than
    /// one task, so that tasks shorter than a thread's arrival do not get more threads than they can
    /// use.
    [[nodiscard]] bool wants_thread() noexcept {
        const bool wanted = !queue_.empty() && summoned_ == 0 && has_room();
        summoned_ += wanted ? 1 : 0;
        return wanted;
    }

    void summon() { arena_threads::instance().call(ref<arena_service>::share(this)); }

    /// Withdraws `submitted`, and throws, if no thread will run it.
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

    /// Runs tasks from the front of the queue, and shares their lane at the end of each turn.
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
            if (run(work, place::own, until) >= end_of_turn && work) {
                lane.share();
                end_of_turn = clock::now() + turn;
            }
        }
    }

    /// Watches for tasks for a while, as summoning a thread costs more than many tasks do. One watching
    /// thread is enough.
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

    [[nodiscard]] ref<arena_work> claim(arena_work& work, place where) {
        const std::lock_guard lock{mutex_};
        if (!arena_queue::holds(work) || (where == place::own && !has_room())) {
            return {};
        }
        running_ += where == place::own ? 1 : 0;
        return queue_.take(work);
    }

    void run_alone(ref<arena_work> work, place where) {
        const lane_scope lane{work->lane()};
        run(work, where);
    }

    /// Returns when `work` has completed; if that was before `until`, leaves its successor in `work`.
    clock::time_point run(ref<arena_work>& work, place where, clock::time_point until = {}) {
        const arena_frame here{this};
        work->call();
        work->publish();
        const clock::time_point end = work->outcome().end;
        work->release_waiters();
        work = {};  // before its end counts: a wait for everything has all memory back

        std::unique_lock lock{mutex_};
        --outstanding_;
        running_ -= where == place::own ? 1 : 0;
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

    /// A nested TBB wait only steals parts of parallel loops.
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
    std::size_t suspended_ = 0;  // of these, tasks whose thread is in await_all
};

}  // namespace pointsman::detail
