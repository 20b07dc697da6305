// SPDX-License-Identifier: Apache-2.0
// The thread on which coroutines go on whose awaited work is over.
#pragma once

#include <condition_variable>
#include <coroutine>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "fairlead/submission/fork_mark.hpp"

namespace fairlead::detail {

/// Resumes coroutines in the order in which their work ended, on one thread for all that was linked
/// together, which starts with the first. Whoever sees the end of work may be a driver's thread or hold
/// up a wait for that very work, so no coroutine goes on there.
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

    /// Has `coroutine` resumed. Out of memory here ends the process: nothing else would resume it.
    void post(std::coroutine_handle<> coroutine) noexcept {
        {
            const std::lock_guard lock{mutex_};
            ready_.push_back(coroutine);
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
        std::unique_lock lock{mutex_};
        while (!stopping_) {
            posted_.wait(lock, [this] { return stopping_ || !ready_.empty(); });
            const auto batch = std::exchange(ready_, {});
            lock.unlock();
            for (const auto coroutine : batch) {
                coroutine.resume();
            }
            lock.lock();
        }
    }

    const fork_mark mark_;
    std::mutex mutex_;
    std::condition_variable posted_;
    std::vector<std::coroutine_handle<>> ready_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace fairlead::detail
