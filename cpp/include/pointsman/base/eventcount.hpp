// SPDX-License-Identifier: Apache-2.0
// Lets a thread sleep until something has changed, at no cost to those who change it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// A thread makes a `waiter`, looks whether it can go on, and else waits: a `notify` after the waiter
/// was made ends the wait at once, so none is lost.
class eventcount {
    using epoch = std::uint32_t;

  public:
    class waiter {
      public:
        explicit waiter(eventcount& events) noexcept : events_{events} {
            events_.waiters_.fetch_add(1);
            seen_ = events_.epoch_.load();
            // Before the look that follows: either it finds what was freed, or `notify` this waiter.
            std::atomic_thread_fence(std::memory_order_seq_cst);
        }
        waiter(const waiter&) = delete;
        waiter& operator=(const waiter&) = delete;
        ~waiter() { events_.waiters_.fetch_sub(1); }

        /// Sleeps until a `notify` since this was made, or for `pause`.
        void wait_for(clock::duration pause) {
            std::unique_lock lock{events_.mutex_};
            events_.changed_.wait_for(lock, pause,
                                      [this] { return events_.epoch_.load() != seen_; });
        }

      private:
        eventcount& events_;
        epoch seen_;
    };

    /// A load when nobody waits.
    [[gnu::always_inline]] void notify() noexcept {
        if (waiters_.load() != 0) {
            wake_all();
        }
    }

  private:
    [[gnu::cold, gnu::noinline]] void wake_all() noexcept {
        epoch_.fetch_add(1);
        {
            std::lock_guard lock{mutex_};
        }
        changed_.notify_all();
    }

    std::atomic<epoch> epoch_{0};
    std::atomic<std::uint32_t> waiters_{0};
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace pointsman::detail
