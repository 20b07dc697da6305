// SPDX-License-Identifier: Apache-2.0
// The thread on which coroutines go on whose awaited work is over.
#pragma once

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "pointsman/base/fork_mark.hpp"
#include "pointsman/base/watcher.hpp"

namespace pointsman::detail {

/// Work for which one coroutine at a time may wait.
class awaitable_work : public pollable_work {
  public:
    /// Leaves the coroutine to whoever takes it first: who resumes it, or who destroys it.
    void leave(std::coroutine_handle<> coroutine) noexcept { coroutine_ = coroutine.address(); }
    /// Null when nobody waits, or no more.
    [[nodiscard]] std::coroutine_handle<> take_coroutine() noexcept {
        return std::coroutine_handle<>::from_address(coroutine_.exchange(nullptr));
    }

  private:
    friend class resumer;
    std::atomic<void*> coroutine_{nullptr};
    awaitable_work* next_ = nullptr;
};

/// Resumes coroutines in the order in which their work ended, on one thread for all that was linked
/// together, which starts with the first. Whoever sees the end of work may be a driver's thread or hold
/// up a wait for that very work, so no coroutine goes on there. One that is destroyed before its turn
/// has come is passed over.
/// An exit handler joins the thread; what ends after that is not resumed. The object is never destroyed.
/// **Thread safety**: any thread.
class resumer {
  public:
    static resumer& instance() {
        static resumer* const only = new resumer;
        return *only;
    }

    /// Makes sure that `post` has a thread to go to.
    /// **Throws**: `std::system_error`; `forked_process` in a child of the process that the thread is in.
    void prepare() {
        mark_.check("The thread that resumes coroutines");
        const std::lock_guard lock{mutex_};
        if (!thread_.joinable() && !stopping_) {
            thread_ = std::thread{[this] { run(); }};
            std::atexit([] { instance().stop(); });
        }
    }

    /// Has the coroutine resumed that waits for `work`. Once for each work.
    void post(ref<awaitable_work> work) noexcept {
        {
            const std::lock_guard lock{mutex_};
            awaitable_work* const last = work.detach();
            (last_ != nullptr ? last_->next_ : first_) = last;
            last_ = last;
        }
        posted_.notify_one();
    }

    resumer(const resumer&) = delete;
    resumer& operator=(const resumer&) = delete;

  private:
    resumer() = default;
    ~resumer() = default;

    void stop() {
        if (mark_.is_stale()) {
            return;  // the thread is the parent's
        }
        {
            const std::lock_guard lock{mutex_};
            stopping_ = true;
        }
        posted_.notify_one();
        if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) {
            thread_.join();
        }
    }

    void run() {
        while (auto work = next()) {
            const auto coroutine = work->take_coroutine();
            work = {};
            if (coroutine) {
                coroutine.resume();
            }
        }
    }

    /// Empty when stopping.
    ref<awaitable_work> next() {
        std::unique_lock lock{mutex_};
        posted_.wait(lock, [this] { return stopping_ || first_ != nullptr; });
        if (stopping_) {
            return {};
        }
        awaitable_work* const found = first_;
        first_ = found->next_;
        last_ = first_ != nullptr ? last_ : nullptr;
        return ref<awaitable_work>::adopt(found);
    }

    const fork_mark mark_;
    std::mutex mutex_;
    std::condition_variable posted_;
    awaitable_work* first_ = nullptr;  // of a list of references
    awaitable_work* last_ = nullptr;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace pointsman::detail
