// SPDX-License-Identifier: Apache-2.0
// The coroutines that wait for a place or a resource to submit work, in the order of their coming.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "pointsman/base/delayed_calls.hpp"
#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/resumer.hpp"
#include "pointsman/base/spare_threads.hpp"
#include "pointsman/base/watcher.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// What became of a try to begin a submission that waits.
enum class begin_try : std::uint8_t {
    begun,
    no_place,  ///< as many submissions of the policy are outstanding as may be: none behind it can begin
    no_resource  ///< one behind it may have another resource
};

/// A submission for whose begin a coroutine waits.
class waiting_submission : public awaitable_work {
  public:
    /// Tries to begin the work, or ends it if a stop was requested. Called by one thread at a time.
    /// `has_places`: false if one before it found no place; then it does not take one either.
    [[nodiscard]] virtual begin_try try_begin(bool has_places) noexcept = 0;

    /// Nobody polls this.
    poll_result poll() noexcept override { return poll_result::over; }
};

/// Begins the work of the first submission in line when a place is free, and then resumes its coroutine. Other
/// code can free a resource, too, which the first submission might not be able to use: meanwhile all in line are
/// tried, after pauses of 1 to 100 ms.
///
/// A spare thread begins the work, since the thread that noticed a free place may be a driver's.
/// **Thread safety**: any thread. **Cost**: `wake` one load if nobody waits.
class submission_line : public std::enable_shared_from_this<submission_line> {
  public:
    /// Returns true if no coroutine waits.
    [[nodiscard]] bool is_empty() const noexcept { return size_.load() == 0; }

    /// Lets a submission wait whose coroutine is stored in it.
    /// **Throws**: as `delayed_calls::call_at`; the submission does then not wait.
    void join(ref<waiting_submission> submission) {
        resumer::instance().prepare();
        delayed_calls::instance().prepare();
        {
            const std::lock_guard lock{mutex_};
            waiting_.push_back(std::move(submission));
            size_.store(waiting_.size());
        }
        wake();
    }

    /// Forgets a submission whose coroutine is gone.
    void leave(const waiting_submission* submission) noexcept {
        ref<waiting_submission> gone;  // released without the lock
        const std::lock_guard lock{mutex_};
        const auto found = std::ranges::find(waiting_, submission, &ref<waiting_submission>::get);
        if (found != waiting_.end()) {
            gone = std::move(*found);
            waiting_.erase(found);
            size_.store(waiting_.size());
        }
    }

    /// A place or a resource may be free.
    void wake() noexcept {
        if (is_empty()) {
            return;
        }
        wakes_.fetch_add(1);
        if (!is_searching_.exchange(true)) {
            search_soon();
        }
    }

  private:
    static constexpr clock::duration shortest_pause = std::chrono::milliseconds{1};
    static constexpr clock::duration longest_pause = std::chrono::milliseconds{100};

    void search_soon() noexcept {
        try {
            spare_threads::instance().run([self = shared_from_this()] { self->search(); });
        } catch (...) {  // no memory, no thread, or the process ends: the next wake tries again
            is_searching_ = false;
        }
    }

    /// On a spare thread, one at a time.
    void search() noexcept {
        for (;;) {
            const std::size_t seen = wakes_.load();
            begin_all(tries_all_.exchange(false));
            try_again_later();
            is_searching_ = false;
            if (wakes_.load() == seen || is_searching_.exchange(true)) {
                return;
            }
        }
    }

    /// Begins submissions in their order, up to the first that cannot begin; if `tries_all`, those behind one that
    /// found no resource, too, and ends all that were stopped.
    void begin_all(bool tries_all) noexcept {
        std::size_t refused = 0;
        bool has_places = true;
        while (const auto next = at(refused)) {
            const begin_try tried = next->try_begin(has_places);
            if (tried == begin_try::begun) {
                pause_ = shortest_pause;
                leave(next.get());
                resumer::instance().post(ref<awaitable_work>::share(next.get()));
            } else if (tries_all) {
                has_places = has_places && tried != begin_try::no_place;
                ++refused;
            } else {
                return;
            }
        }
    }

    [[nodiscard]] ref<waiting_submission> at(std::size_t index) {
        const std::lock_guard lock{mutex_};
        return index < waiting_.size() ? waiting_[index] : ref<waiting_submission>{};
    }

    void try_again_later() noexcept {
        if (is_empty() || has_alarm_.exchange(true)) {
            return;
        }
        try {
            delayed_calls::instance().call_at(clock::now() + pause_, [self = shared_from_this()] {
                self->has_alarm_ = false;
                self->tries_all_ = true;
                self->wake();
            });
            pause_ = std::min(2 * pause_, longest_pause);
        } catch (
            ...) {  // no memory, or the process ends: the next place that becomes free wakes it
            has_alarm_ = false;
        }
    }

    std::atomic<std::size_t> size_{0};
    std::atomic<std::size_t> wakes_{0};
    std::atomic<bool> is_searching_{false};
    std::atomic<bool> has_alarm_{false};
    std::atomic<bool> tries_all_{false};
    clock::duration pause_ = shortest_pause;  // of the searching thread
    std::mutex mutex_;
    std::deque<ref<waiting_submission>> waiting_;
};

}  // namespace pointsman::detail
