// SPDX-License-Identifier: Apache-2.0
// Lets a thread sleep until something changes; a notification costs one load when nobody sleeps.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// A thread constructs a `waiter`, checks whether it can proceed, and otherwise waits. A `notify` after
/// the construction ends the wait at once, so no notification is lost.
class eventcount {
    using epoch = std::uint32_t;

  public:
    class waiter {
      public:
        explicit waiter(eventcount& events) noexcept : events_{events} {
            events_.waiters_.fetch_add(1);
            seen_ = events_.epoch_.load();
            // Before the caller's check: either the check finds what was freed, or `notify` finds this
            // waiter.
            std::atomic_thread_fence(std::memory_order_seq_cst);
        }
        waiter(const waiter&) = delete;
        waiter& operator=(const waiter&) = delete;
        ~waiter() { events_.waiters_.fetch_sub(1); }

        /// Sleeps until a `notify` that follows the construction, at most for `pause`.
        void wait_for(clock::duration pause) {
            std::unique_lock lock{events_.mutex_};
            events_.changed_.wait_for(lock, pause,
                                      [this] { return events_.epoch_.load() != seen_; });
        }

      private:
        eventcount& events_;
        epoch seen_;
    };

    /// Costs one load when nobody waits.
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
