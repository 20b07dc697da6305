// SPDX-License-Identifier: Apache-2.0
// Calls functions at times in the future.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "pointsman/base/fork_mark.hpp"
#include "pointsman/base/spare_threads.hpp"
#include "pointsman/clock.hpp"

namespace pointsman::detail {

/// Calls functions in the order of their times, on one of the `spare_threads`, for everything linked together. The
/// functions must not block. Calls that are due after the exit handler has run are not made. The object is never
/// destroyed.
/// **Thread safety**: any thread.
class delayed_calls {
  public:
    /// Identifies a call that has not begun.
    using ticket = std::pair<clock::time_point, std::uint64_t>;

    static delayed_calls& instance() {
        static delayed_calls* const only = new delayed_calls;
        return *only;
    }

    /// Makes sure that calls can be made. **Throws**: as `spare_threads::run`.
    void prepare() {
        mark_.check("The thread of delayed calls");
        const std::lock_guard lock{mutex_};
        if (stopping_) {
            throw std::system_error{std::make_error_code(std::errc::operation_canceled)};
        }
        if (!is_running_) {
            spare_threads::instance().run([this] { run(); });
            is_running_ = true;
            std::atexit([] { instance().stop(); });  // before that of the spare threads
        }
    }

    /// Calls `function`, which must not throw, once at `time`, or at once if that has passed.
    /// **Throws**: as `prepare`, and `std::bad_alloc`; the function is then not called.
    ticket call_at(clock::time_point time, std::function<void()> function) {
        prepare();
        const std::lock_guard lock{mutex_};
        const auto place = calls_.emplace(ticket{time, next_++}, std::move(function)).first;
        if (place == calls_.begin()) {
            changed_.notify_one();
        }
        return place->first;
    }

    /// Drops a call unless it has begun.
    void cancel(const ticket& which) noexcept {
        if (mark_.is_stale()) {
            return;  // a thread of the parent may have held the mutex
        }
        std::function<void()> dropped;  // destroyed without the lock
        const std::lock_guard lock{mutex_};
        if (const auto found = calls_.find(which); found != calls_.end()) {
            dropped = std::move(found->second);
            calls_.erase(found);
        }
    }

    delayed_calls(const delayed_calls&) = delete;
    delayed_calls& operator=(const delayed_calls&) = delete;

  private:
    delayed_calls() = default;
    ~delayed_calls() = default;

    void stop() {
        if (mark_.is_stale()) {
            return;  // the thread is the parent's
        }
        {
            const std::lock_guard lock{mutex_};
            stopping_ = true;
        }
        changed_.notify_one();
    }

    void run() {
        std::unique_lock lock{mutex_};
        while (!stopping_) {
            if (calls_.empty()) {
                changed_.wait(lock);
                continue;
            }
            const auto first = calls_.begin();
            if (const auto time = first->first.first; time > clock::now()) {
                changed_.wait_until(lock, time);
                continue;
            }
            auto function = std::move(first->second);
            calls_.erase(first);
            lock.unlock();
            function();
            function = nullptr;
            lock.lock();
        }
    }

    const fork_mark mark_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<ticket, std::function<void()>> calls_;
    std::uint64_t next_ = 0;
    bool is_running_ = false;
    bool stopping_ = false;
};

}  // namespace pointsman::detail
