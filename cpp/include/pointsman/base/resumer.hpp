// SPDX-License-Identifier: Apache-2.0
// The thread that resumes coroutines when the work they await is complete.
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

/// Work that one coroutine at a time may await.
class awaitable_work : public pollable_work {
  public:
    /// Stores the coroutine for the first caller of `take_coroutine`, which resumes or destroys it.
    void leave(std::coroutine_handle<> coroutine) noexcept { coroutine_ = coroutine.address(); }
    /// Returns the waiting coroutine; null if there is none, or if it was taken already.
    [[nodiscard]] std::coroutine_handle<> take_coroutine() noexcept {
        return std::coroutine_handle<>::from_address(coroutine_.exchange(nullptr));
    }

  private:
    friend class resumer;
    std::atomic<void*> coroutine_{nullptr};
    awaitable_work* next_ = nullptr;
};

/// Resumes coroutines in the order in which their work completed, on one thread for everything linked
/// together, which starts on first use. A coroutine is not resumed where completion is noticed: that may
/// be a driver's thread, or a thread that waits for the same work. A coroutine that is destroyed before
/// its turn is skipped.
/// An exit handler joins the thread; coroutines whose work completes later are not resumed. The object
/// is never destroyed.
/// **Thread safety**: any thread.
class resumer {
  public:
    static resumer& instance() {
        static resumer* const only = new resumer;
        return *only;
    }

    /// Starts the thread if necessary; call it before `post`.
    /// **Throws**: `std::system_error`; `forked_process` in a child of the process that has the thread.
    void prepare() {
        mark_.check("The thread that resumes coroutines");
        const std::lock_guard lock{mutex_};
        if (!thread_.joinable() && !stopping_) {
            thread_ = std::thread{[this] { run(); }};
            std::atexit([] { instance().stop(); });
        }
    }

    /// Resumes the coroutine that waits for `work`. Called once for each piece of work.
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

    /// Waits for the next work; returns an empty reference when stopping.
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
    awaitable_work* first_ = nullptr;  // head of a list of references
    awaitable_work* last_ = nullptr;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace pointsman::detail
