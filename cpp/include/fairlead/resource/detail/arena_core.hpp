// SPDX-License-Identifier: Apache-2.0
// The scheduler behind an arena: which thread runs which task, and how a wait makes progress.
#pragma once

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "fairlead/clock.hpp"
#include "fairlead/resource/detail/arena_work.hpp"
#include "fairlead/resource/tbb_threads.hpp"
#include "fairlead/submission/ref_counted.hpp"

#if defined(__SANITIZE_THREAD__)
#define FAIRLEAD_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FAIRLEAD_THREAD_SANITIZER
#endif
#endif
#ifdef FAIRLEAD_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace fairlead::detail {

/// What the copies of an arena, its tasks and its tickets share; destroyed with the last of them,
/// which may be a ticket on one of the arena's own threads.
///
/// Tasks wait in a queue of the arena's own. A *ticket*, enqueued to TBB, is a promise that one of
/// TBB's threads will come and serve the queue for a short turn; there are never more tickets and
/// running tasks than `concurrency`.
///
/// A wait for one task never runs another task on the waiter's stack, and needs a free TBB thread
/// only where it found the arena full:
///
/// - inside a TBB task it runs the awaited task itself when that has not started, where it stands
///   (to enter the arena could mean to wait for a slot whose holder waits for the caller); when it
///   has started, it helps with parallel loops only;
/// - elsewhere it enters the arena and runs the awaited task if the arena has room, and blocks
///   otherwise: then the awaited task runs, or others whose end will bring a thread to it.
///
/// Tickets are served in one TBB arena, threads enter another one. Each has `concurrency` slots, and so
/// has a parallel loop no more threads than that, wherever it began. The one for entering keeps a slot
/// closed to TBB's workers for each thread that may be in it. So a thread that enters always finds a
/// slot: it would otherwise wait for one whose holder may be waiting for what that thread does next.
class arena_core : public ref_counted {
  public:
    /// **Throws**: `forked_process`, like everything that needs a thread, in a child that was forked
    /// after the first use of TBB's threads. What is over can still be waited for.
    explicit arena_core(const tbb::task_arena::constraints& where)
        : concurrency_{width(where)},
          entrances_{std::max(0, concurrency_ - tbb::info::default_concurrency()) + 1} {
        tbb_threads::check();
        allow_a_worker_for_each_core();
        threads_ = std::make_unique<tbb::task_arena>(
            tbb::task_arena::constraints{where}.set_max_concurrency(concurrency_ + 1 - entrances_),
            0);
        entered_threads_ = std::make_unique<tbb::task_arena>(
            tbb::task_arena::constraints{where}.set_max_concurrency(concurrency_),
            static_cast<unsigned>(entrances_));
        threads_->initialize();
    }
    /// A forked child leaves to its end what others of TBB's threads may have locked.
    ~arena_core() override {
        if (tbb_threads::are_missing()) {
            static_cast<void>(threads_.release());
            static_cast<void>(entered_threads_.release());
        }
    }

    [[nodiscard]] int concurrency() const noexcept { return concurrency_; }

    void submit(ref<arena_work> work) {
        tbb_threads::use();
        std::unique_lock lock{mutex_};
        queue_.push(std::move(work));
        ++outstanding_;
        const bool needed = wants_ticket();
        const bool wake = blocked_ > 0;
        lock.unlock();
        if (wake) {
            changed_.notify_all();
        }
        if (needed) {
            enqueue_ticket();
        }
    }

    /// Calls `function()` on the calling thread in a place of the arena, or says that it has none.
    template <class F>
    [[nodiscard]] bool try_call(F& function) {
        tbb_threads::use();
        if (!may_enter()) {
            return false;
        }
        const entry entered{*this};
        enter([&] { static_cast<void>(function()); });
        return true;
    }

    /// Returns when `work` is over.
    void await(arena_work& work) {
        help(work);
        if (!work.is_ready() && tbb::task::current_context() != nullptr) {
            help_with_loops_until(work);
        }
        work.block();
    }

    /// Runs `work` on the calling thread where that is possible and `work` has not started.
    void help(arena_work& work) {
        if (work.is_ready()) {
            return;
        }
        tbb_threads::check();
        if (tbb::task::current_context() != nullptr) {
            if (auto claimed = claim(work, place::lent)) {
                run_alone(std::move(claimed), place::lent);
            }
        } else if (may_enter_for(work)) {
            enter([&] {
                if (auto claimed = claim(work, place::own)) {
                    run_alone(std::move(claimed), place::own);
                }
            });
            leave();
        }
    }

    /// Drops `work` if it has not started; it is over then, and tells so.
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
        const bool wake = blocked_ > 0;
        lock.unlock();
        if (wake) {
            changed_.notify_all();
        }
        return true;
    }

    /// Until as many `let_go` as `hold`, `await_all` does not return. A forked child has nobody who waits.
    void hold() noexcept {
        if (!tbb_threads::are_missing()) {
            const std::lock_guard lock{mutex_};
            ++holds_;
        }
    }
    void let_go() noexcept {
        if (tbb_threads::are_missing()) {
            return;
        }
        std::unique_lock lock{mutex_};
        --holds_;
        const bool wake = blocked_ > 0;
        lock.unlock();
        if (wake) {
            changed_.notify_all();
        }
    }

    /// Returns true when all tasks are over and nothing holds the arena; inside tasks of this arena, when
    /// all but the tasks that wait like this are. False at `deadline`, or when a task has ended that the
    /// calling thread ran at that time: inside a TBB task it runs tasks whose turn it is, elsewhere when
    /// it `helps`.
    bool await_all(const std::optional<clock::time_point>& deadline, bool helps) {
        tbb_threads::check();
        const bool in_task = tbb::task::current_context() != nullptr;
        const std::size_t own_tasks = frame::count(*this);
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
            } else if (!in_task && helps && !queue_.empty() && has_room()) {
                ++entered_;
                lock.unlock();
                enter([this] { serve(); });
                lock.lock();
                --entered_;
            } else {
                block(lock, deadline);
            }
        }
        suspended_ -= own_tasks;
        return in_time;
    }

  private:
    /// Returns when something has changed, at `deadline` at the latest.
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

    /// Whether a task counts against the arena's concurrency, or runs in the place of the TBB task
    /// that waits for it.
    enum class place { own, lent };

    /// Marks the calling thread as running a task of `core`.
    class frame {
      public:
        explicit frame(const arena_core& core) noexcept
            : core_{&core}, outer_{std::exchange(innermost_, this)} {}
        frame(const frame&) = delete;
        frame& operator=(const frame&) = delete;
        ~frame() { innermost_ = outer_; }

        [[nodiscard]] static std::size_t count(const arena_core& core) noexcept {
            std::size_t found = 0;
            for (const frame* f = innermost_; f != nullptr; f = f->outer_) {
                found += f->core_ == &core ? 1 : 0;
            }
            return found;
        }

      private:
        static inline thread_local const frame* innermost_ = nullptr;
        const arena_core* core_;
        const frame* outer_;
    };

    struct ticket {
        void operator()() const {
            order_after_enqueue();
            core->serve(1);
        }
        ref<arena_core> core;
    };

    /// How many tasks may run at a time: as asked, or one for each core of the node or machine.
    static int width(const tbb::task_arena::constraints& where) {
        return where.max_concurrency != tbb::task_arena::automatic
                   ? where.max_concurrency
                   : tbb::info::default_concurrency(where.numa_id);
    }

    /// TBB counts the calling thread among its threads, but here that thread goes its own way after
    /// a submission: an arena of all cores needs one more worker than TBB would have.
    static void allow_a_worker_for_each_core() {
        constexpr auto limit = tbb::global_control::max_allowed_parallelism;
        static const tbb::global_control raised{
            limit, std::max(tbb::global_control::active_value(limit),
                            static_cast<std::size_t>(tbb::info::default_concurrency()) + 1)};
    }

    [[nodiscard]] bool wants_ticket() noexcept {
        const bool wanted = !queue_.empty() && running_ + tickets_ < concurrency_;
        tickets_ += wanted ? 1 : 0;
        return wanted;
    }

    /// Out of memory here ends the process: the queue has no other way to be served.
    void enqueue_ticket() noexcept {
        order_before_ticket();
        threads_->enqueue(ticket{ref<arena_core>::share(this)});
    }

    /// Calls `function` on the calling thread in a slot that it was promised. `execute` alone would
    /// not do: a wait below it would not find itself inside a TBB task.
    template <class F>
    void enter(const F& function) {
        entered_threads_->execute([&] { tbb::task_group{}.run_and_wait(function); });
    }

    /// Runs tasks from the front of the queue for the length of a turn, then leaves the thread to
    /// TBB, which may need it in another arena.
    void serve(int redeemed_tickets = 0) {
        std::unique_lock lock{mutex_};
        tickets_ -= redeemed_tickets;
        if (queue_.empty() || running_ >= concurrency_) {
            return;
        }
        ++running_;
        ref<arena_work> work = queue_.take(queue_.front());
        lock.unlock();
        const clock::time_point end_of_turn = clock::now() + turn;
        lane_scope lane;
        while (work) {
            lane.change_to(work->lane());
            work = run(std::move(work), place::own, end_of_turn);
        }
    }

    [[nodiscard]] bool has_room() const noexcept {
        return running_ < concurrency_ && entered_ < entrances_;
    }

    /// A slot that was promised, for as long as it is in use.
    class entry {
      public:
        explicit entry(arena_core& core) noexcept : core_{core} {}
        entry(const entry&) = delete;
        entry& operator=(const entry&) = delete;
        ~entry() { core_.leave(); }

      private:
        arena_core& core_;
    };

    /// True promises a slot, until `leave`.
    [[nodiscard]] bool may_enter() {
        const std::lock_guard lock{mutex_};
        const bool granted = has_room();
        entered_ += granted ? 1 : 0;
        return granted;
    }

    /// The same for a thread that wants to run `work`.
    [[nodiscard]] bool may_enter_for(const arena_work& work) {
        const std::lock_guard lock{mutex_};
        const bool granted = arena_queue::holds(work) && has_room();
        entered_ += granted ? 1 : 0;
        return granted;
    }

    void leave() {
        const std::lock_guard lock{mutex_};
        --entered_;
    }

    [[nodiscard]] ref<arena_work> claim(arena_work& work, place where) {
        const std::lock_guard lock{mutex_};
        if (!arena_queue::holds(work) || (where == place::own && running_ >= concurrency_)) {
            return {};
        }
        running_ += where == place::own ? 1 : 0;
        return queue_.take(work);
    }

    void run_alone(ref<arena_work> work, place where) {
        const lane_scope lane{work->lane()};
        run(std::move(work), where);
    }

    /// Gives the task that takes the place of `work`, when that ended before `end_of_turn`.
    ref<arena_work> run(ref<arena_work> work, place where, clock::time_point end_of_turn = {}) {
        const frame here{*this};
        work->call();
        work->publish();
        const bool may_go_on = work->outcome().end < end_of_turn;
        work->release_waiters();
        work = {};  // before its end counts: who waits for everything has all memory back

        std::unique_lock lock{mutex_};
        --outstanding_;
        running_ -= where == place::own ? 1 : 0;
        ref<arena_work> next;
        if (may_go_on && !queue_.empty()) {
            next = queue_.take(queue_.front());
            ++running_;
        }
        const bool needed = wants_ticket();
        const bool wake = blocked_ > 0;
        lock.unlock();
        if (wake) {
            changed_.notify_all();
        }
        if (needed) {
            enqueue_ticket();
        }
        return next;
    }

    /// A nested TBB wait steals chunks of parallel loops but starts no enqueued work.
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

    // ThreadSanitizer does not see into TBB's library, which orders an enqueue before its task.
#ifdef FAIRLEAD_THREAD_SANITIZER
    static void order_before_ticket() noexcept { __tsan_release(&enqueue_tag_); }
    static void order_after_enqueue() noexcept { __tsan_acquire(&enqueue_tag_); }
    static inline char enqueue_tag_ = 0;
#else
    static void order_before_ticket() noexcept {}
    static void order_after_enqueue() noexcept {}
#endif

    static constexpr std::chrono::microseconds turn{100};

    const int concurrency_;
    /// TBB has no more workers than cores: the places beyond are for threads that wait, and one
    /// more. Left to the workers, they would only make TBB warn on the standard error stream.
    const int entrances_;
    std::unique_ptr<tbb::task_arena> threads_;          // TBB's workers serve tickets here
    std::unique_ptr<tbb::task_arena> entered_threads_;  // made when the first thread enters

    std::mutex mutex_;
    std::condition_variable changed_;
    arena_queue queue_;
    int tickets_ = 0;              // enqueued to TBB and not yet redeemed
    int running_ = 0;              // tasks in a place of the arena's own
    int entered_ = 0;              // threads that wait and have a slot
    int blocked_ = 0;              // threads in await_all that hear of changes
    std::size_t outstanding_ = 0;  // tasks that are not over
    std::size_t holds_ = 0;
    std::size_t suspended_ = 0;  // of these, tasks whose thread is in await_all
};

}  // namespace fairlead::detail
