// SPDX-License-Identifier: Apache-2.0
// One unit of an arena's work: its completion, its callbacks and waiters, and the queue of such units.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/submission/completion.hpp"
#include "pointsman/trace/task_scope.hpp"

namespace pointsman::detail {

/// A resource that a thread holds while it runs work of one kind, such as the lock of an interpreter:
/// acquired before the first of several consecutive pieces of such work, released after the last.
class arena_lane {
  public:
    using token = int;
    /// Called on the thread that will run the work. `share` and `leave` get the newest token, in
    /// reverse order.
    virtual token enter() noexcept = 0;
    /// Called between two pieces of work: lets threads that have waited long enough acquire the lane,
    /// and returns when this thread has acquired it again.
    virtual token share(token entered) noexcept = 0;
    virtual void leave(token entered) noexcept = 0;

  protected:
    ~arena_lane() = default;
};

/// Holds the lane of the work that a thread runs; releases it at the end of the scope.
class lane_scope {
  public:
    lane_scope() = default;
    explicit lane_scope(arena_lane* lane) noexcept { change_to(lane); }
    lane_scope(const lane_scope&) = delete;
    lane_scope& operator=(const lane_scope&) = delete;
    ~lane_scope() { change_to(nullptr); }

    void change_to(arena_lane* lane) noexcept {
        if (lane == lane_) {
            return;
        }
        if (lane_ != nullptr) {
            lane_->leave(token_);
        }
        lane_ = lane;
        if (lane_ != nullptr) {
            token_ = lane_->enter();
        }
    }
    void share() noexcept {
        if (lane_ != nullptr) {
            token_ = lane_->share(token_);
        }
    }

  private:
    arena_lane* lane_ = nullptr;
    arena_lane::token token_{};
};

/// Work that an arena runs once. State, result and callable of a task are one object, so a submission
/// allocates once; a first completion callback allocates nothing.
/// **Thread safety**: all members except those marked for `arena_core` may be called from any thread.
class arena_work : public ref_counted {
  public:
    /// A registered callback; it lives in the work, on the heap, or on a waiter's stack.
    struct observer {
        completion_callback callback;
        observer* next = nullptr;
    };

    [[nodiscard]] bool is_ready() const noexcept {
        return observers_.load(std::memory_order_acquire) == this;
    }

    /// Only meaningful once `is_ready()`.
    [[nodiscard]] completion outcome() const noexcept { return end_; }

    void on_completion(completion_callback callback) {
        if (first_taken_.test_and_set(std::memory_order_relaxed)) {
            observe(*new heap_observer{callback});
        } else {
            first_.callback = callback;
            observe(first_);
        }
    }

    /// `entry` must live until it has been called.
    void observe(observer& entry) noexcept {
        void* head = observers_.load(std::memory_order_acquire);
        do {
            if (head == this) {
                entry.callback(end_);
                return;
            }
            entry.next = static_cast<observer*>(head);
        } while (!observers_.compare_exchange_weak(head, &entry, std::memory_order_acq_rel,
                                                   std::memory_order_acquire));
    }

    /// Blocks until `release_waiters()` is called, without running other work.
    void block() const noexcept { released_.wait(0, std::memory_order_acquire); }

    /// The lane that a thread holds while it runs the work; null for none.
    [[nodiscard]] virtual arena_lane* lane() const noexcept { return nullptr; }

    /// Called by a thread that is about to call `call()`.
    void begun() const noexcept { mark_.started(); }

    // For arena_core, in this order and once each.

    /// Calls the function, stores its outcome and its result or exception, then destroys the function.
    virtual void call() noexcept = 0;
    /// Called instead of `call` for cancelled work: records the cancellation and destroys the function.
    virtual void drop() noexcept = 0;

    /// Makes the work ready and calls the registered callbacks in the order of registration.
    void publish() noexcept {
        void* head = observers_.exchange(this, std::memory_order_acq_rel);
        observer* in_order = nullptr;
        for (auto* entry = static_cast<observer*>(head); entry != nullptr;) {
            entry = std::exchange(entry->next, std::exchange(in_order, entry));
        }
        while (in_order != nullptr) {
            const completion_callback callback = in_order->callback;
            in_order = in_order->next;  // before the call, which may destroy the entry
            callback(end_);
        }
    }

    void release_waiters() noexcept {
        released_.store(1, std::memory_order_release);
        released_.notify_all();
    }

  protected:
    /// `excluded` is time that the task spent waiting, which does not count as its own.
    void note_end(bool succeeded, clock::duration excluded = {}) noexcept {
        end_ = {.end = clock::now() - excluded,
                .succeeded = succeeded,
                .exact = true,
                .excluded = excluded};
    }

  private:
    friend class arena_queue;

    /// Calls its target, then destroys itself.
    struct heap_observer : observer {
        explicit heap_observer(completion_callback calls)
            : observer{.callback = {.invoke = call_and_delete, .context = this}}, target{calls} {}
        static void call_and_delete(void* self, const completion& end) noexcept {
            const std::unique_ptr<heap_observer> owned{static_cast<heap_observer*>(self)};
            owned->target(end);
        }
        completion_callback target;
    };

    std::atomic<void*> observers_{nullptr};  // observers, or `this` once complete
    observer first_{};
    std::atomic_flag first_taken_;
    std::atomic<int> released_{0};
    completion end_{};
    const trace::run_mark mark_;

    arena_work* previous_ = nullptr;
    arena_work* next_ = nullptr;
    bool queued_ = false;
};

/// First in, first out, with removal from the middle; owns its entries. Not synchronised.
class arena_queue {
  public:
    arena_queue() = default;
    arena_queue(const arena_queue&) = delete;
    arena_queue& operator=(const arena_queue&) = delete;

    [[nodiscard]] bool empty() const noexcept { return front_ == nullptr; }
    /// May also be read without the queue's lock.
    [[nodiscard]] std::size_t size() const noexcept {
        return size_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] arena_work& front() const noexcept { return *front_; }
    [[nodiscard]] static bool holds(const arena_work& work) noexcept { return work.queued_; }

    void push(ref<arena_work> added) noexcept {
        arena_work* work = added.detach();
        work->queued_ = true;
        work->previous_ = std::exchange(back_, work);
        (work->previous_ != nullptr ? work->previous_->next_ : front_) = work;
        size_.store(size() + 1, std::memory_order_relaxed);
    }

    [[nodiscard]] ref<arena_work> take(arena_work& work) noexcept {
        work.queued_ = false;
        (work.previous_ != nullptr ? work.previous_->next_ : front_) = work.next_;
        (work.next_ != nullptr ? work.next_->previous_ : back_) = work.previous_;
        work.previous_ = work.next_ = nullptr;
        size_.store(size() - 1, std::memory_order_relaxed);
        return ref<arena_work>::adopt(&work);
    }

  private:
    arena_work* front_ = nullptr;
    arena_work* back_ = nullptr;
    std::atomic<std::size_t> size_{0};
};

}  // namespace pointsman::detail
