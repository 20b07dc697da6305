// SPDX-License-Identifier: Apache-2.0
// Threads for functions that may block: as many as are needed at once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/base/fork_mark.hpp"

namespace pointsman::detail {

/// Runs each function at once, on a thread that is idle or new, so that the functions may wait for each other.
/// For everything linked together. An exit handler waits for the functions that run then. The object is never
/// destroyed.
/// **Thread safety**: any thread.
class spare_threads {
  public:
    static spare_threads& instance() {
        static spare_threads* const only = new spare_threads;
        return *only;
    }

    /// Runs `function`, which must not throw.
    /// **Throws**: `std::bad_alloc`; `std::system_error`, also after the exit handler has run; `forked_process` in a
    /// child of the process that has the threads. The function is then not run.
    void run(std::function<void()> function) {
        mark_.check("The threads that run work again");
        const std::lock_guard lock{mutex_};
        if (stopping_) {
            throw std::system_error{std::make_error_code(std::errc::operation_canceled)};
        }
        if (idle_ <= functions_.size()) {
            if (threads_.empty()) {
                std::atexit([] { instance().stop(); });
            }
            threads_.reserve(threads_.size() + 1);
            functions_.push_back(std::move(function));
            try {
                threads_.emplace_back([this] { work(); });
            } catch (...) {
                functions_.pop_back();
                throw;
            }
        } else {
            functions_.push_back(std::move(function));
        }
        wake_.notify_one();
    }

    spare_threads(const spare_threads&) = delete;
    spare_threads& operator=(const spare_threads&) = delete;

  private:
    spare_threads() = default;
    ~spare_threads() = default;

    void stop() {
        if (mark_.is_stale()) {
            return;  // the threads are the parent's
        }
        std::vector<std::thread> threads;
        {
            const std::lock_guard lock{mutex_};
            stopping_ = true;
            threads.swap(threads_);
        }
        wake_.notify_all();
        for (std::thread& each : threads) {
            if (each.get_id() == std::this_thread::get_id()) {
                each.detach();
            } else {
                each.join();
            }
        }
    }

    void work() {
        std::unique_lock lock{mutex_};
        for (;;) {
            ++idle_;
            wake_.wait(lock, [this] { return stopping_ || !functions_.empty(); });
            --idle_;
            if (functions_.empty()) {
                return;
            }
            auto function = std::move(functions_.front());
            functions_.pop_front();
            lock.unlock();
            function();
            function = nullptr;
            lock.lock();
        }
    }

    const fork_mark mark_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> functions_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;
    bool stopping_ = false;
};

}  // namespace pointsman::detail
