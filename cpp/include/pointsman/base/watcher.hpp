// SPDX-License-Identifier: Apache-2.0
// The background thread that notices the completion of work that can only be polled.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/base/fork_mark.hpp"
#include "pointsman/base/ref_counted.hpp"

namespace pointsman::detail {

/// The result of polling one piece of work.
enum class poll_result : std::uint8_t {
    nothing_new,
    progress,  ///< some of several pieces of work are complete
    over,      ///< all work is complete and accounted for; the watcher releases it
};

/// Work that the watcher polls for completion.
class pollable_work : public ref_counted {
  public:
    virtual poll_result poll() noexcept = 0;
};

/// One thread for all modules that are linked together. It is started by the first piece of work and
/// sleeps while there is none. A sweep polls at most `sweep_size` pieces, in turn; after each fruitless
/// sweep the pause doubles, from `shortest_pause` up to `longest_pause`.
/// An exit handler joins the thread and polls the remaining work once more, so that finished work is
/// released. From then on only waiting threads poll (`look_in_its_place`), such as the destructors of
/// static objects; the watcher itself is never destroyed.
class watcher {
  public:
    static watcher& instance() {
        static watcher* const only = new watcher;
        return *only;
    }

    /// **Throws**: `std::system_error`, `std::bad_alloc`; `forked_process` in a child of the process
    /// in which the watcher was made. The work is then not watched.
    void watch(ref<pollable_work> work) {
        mark_.check("The watcher of submissions");
        bool idle = false;
        {
            std::lock_guard lock{mutex_};
            incoming_.push_back(std::move(work));
            try {
                start();
            } catch (...) {
                incoming_.pop_back();
                throw;
            }
            idle = idle_;
        }
        if (idle) {
            wake_.notify_one();
        }
    }

    /// Pauses between two fruitless sweeps.
    static constexpr std::chrono::microseconds shortest_pause{20};
    static constexpr std::chrono::microseconds longest_pause{1000};

    /// Returns true if the exit handler has stopped the thread.
    [[nodiscard]] bool is_stopped() const noexcept { return stopped_.load(); }

    /// Polls all remaining work once if the thread has been stopped.
    /// **Throws**: `std::bad_alloc`.
    void look_in_its_place() {
        if (!is_stopped()) {
            return;
        }
        std::vector<ref<pollable_work>> left;
        {
            const std::lock_guard lock{mutex_};
            append(incoming_, watched_);
            left.swap(incoming_);
        }
        std::erase_if(left, is_over);
        const std::lock_guard lock{mutex_};
        append(watched_, left);
    }

    watcher(const watcher&) = delete;
    watcher& operator=(const watcher&) = delete;

  private:
    static constexpr std::size_t sweep_size = 256;

    watcher() = default;
    ~watcher() = default;

    /// Moves all work of `from` to the end of `to`, or none if there is no memory.
    static void append(std::vector<ref<pollable_work>>& to, std::vector<ref<pollable_work>>& from) {
        if (const std::size_t size = to.size() + from.size(); size > to.capacity()) {
            to.reserve(std::max(size, 2 * to.capacity()));
        }
        for (ref<pollable_work>& work : from) {
            to.push_back(std::move(work));
        }
        from.clear();
    }

    static bool is_over(const ref<pollable_work>& work) noexcept {
        return work->poll() == poll_result::over;
    }

    void start() {
        if (!thread_.joinable() && !stopping_) {
            thread_ = std::thread{[this] { run(); }};
            std::atexit([] { instance().stop(); });
        }
    }

    void stop() {
        if (mark_.is_stale()) {
            return;  // the thread is the parent's
        }
        {
            std::lock_guard lock{mutex_};
            stopping_ = true;
        }
        wake_.notify_one();
        if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) {
            thread_.join();
            std::erase_if(watched_, is_over);
        }
        stopped_ = true;
    }

    void run() {
        auto pause = shortest_pause;
        while (take_incoming(pause)) {
            pause = sweep() ? shortest_pause : std::min(2 * pause, longest_pause);
        }
    }

    /// Sleeps while there is nothing to poll, otherwise for `pause`. Returns false when stopping.
    bool take_incoming(std::chrono::microseconds pause) {
        std::unique_lock lock{mutex_};
        if (watched_.empty()) {
            idle_ = true;
            wake_.wait(lock, [this] { return stopping_ || !incoming_.empty(); });
            idle_ = false;
        } else {
            wake_.wait_for(lock, pause, [this] { return stopping_; });
        }
        take_in();
        return !stopping_;
    }

    /// Moves incoming work to the watched work; without memory for that, it waits for the next sweep.
    void take_in() noexcept {
        if (watched_.empty()) {
            watched_.swap(incoming_);
            return;
        }
        try {
            append(watched_, incoming_);
        } catch (const std::bad_alloc&) {
        }
    }

    /// Returns true if a piece of work was found complete or has progressed.
    bool sweep() {
        bool found = false;
        for (std::size_t n = std::min(sweep_size, watched_.size()); n > 0; --n) {
            cursor_ = cursor_ < watched_.size() ? cursor_ : 0;
            const auto result = watched_[cursor_]->poll();
            found = found || result != poll_result::nothing_new;
            if (result == poll_result::over) {
                std::swap(watched_[cursor_], watched_.back());
                watched_.pop_back();
            } else {
                ++cursor_;
            }
        }
        return found;
    }

    const fork_mark mark_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<ref<pollable_work>> incoming_;
    std::vector<ref<pollable_work>> watched_;  // owned by the thread until it is stopped
    std::size_t cursor_ = 0;                   // owned by the thread
    bool idle_ = false;
    bool stopping_ = false;
    std::atomic<bool> stopped_{false};
    std::thread thread_;
};

}  // namespace pointsman::detail
