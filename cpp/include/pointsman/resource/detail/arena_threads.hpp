// SPDX-License-Identifier: Apache-2.0
// The process-wide pool of threads on which arenas run their tasks.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/tbb_threads.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/detail/arena_gate.hpp"

namespace pointsman::detail {

/// The object that a thread of the pool is called to serve.
class arena_service : public ref_counted {
  public:
    virtual void serve() noexcept = 0;
};

/// Threads that all arenas share: a call gets an idle thread, or a new one if none is idle. So a blocking
/// task takes no thread from other arenas, and an unused arena has no threads. A thread ends after being
/// idle for `idle_limit`; the thread that became idle last is called first. Exported from every shared
/// library, as tasks of one arena may come from several.
///
/// At process exit the threads are left where they are, in a task or asleep.
/// **Thread safety**: all members from any thread.
class [[gnu::visibility("default")]] arena_threads {
  public:
    explicit arena_threads(clock::duration idle_limit) noexcept : idle_limit_{idle_limit} {}
    arena_threads(const arena_threads&) = delete;
    arena_threads& operator=(const arena_threads&) = delete;
    /// Returns when all requested calls are complete.
    ~arena_threads() {
        std::unique_lock lock{mutex_};
        is_closing_ = true;
        for (const auto& each : seats_) {
            each->called.notify_one();
        }
        lock.unlock();
        join_if([](const seat& each) { return each.thread.joinable(); });
    }

    /// The pool of the process.
    [[nodiscard]] static arena_threads& instance() {
        static arena_threads* const only = [] {
            auto* const made = new arena_threads{std::chrono::seconds{10}};
            std::atexit([] { instance().settle(); });
            return made;
        }();
        return *only;
    }

    /// Has a thread call `service->serve()` once. **Throws**: `std::system_error`, `std::bad_alloc`;
    /// `serve` is then not called. **Cost**: waking a thread, or starting one.
    void call(ref<arena_service> service) {
        std::unique_lock lock{mutex_};
        for (int i = 0; i < most_yields && idle_.empty() && arriving_ > 0; ++i) {
            lock.unlock();
            std::this_thread::yield();
            lock.lock();
        }
        if (!idle_.empty()) {
            seat* const called = idle_.back();
            idle_.pop_back();
            called->service = std::move(service);
            lock.unlock();
            called->called.notify_one();
            return;
        }
        seat& free = vacant_seat();
        if (free.thread.joinable()) {
            free.thread.detach();  // it has left
        }
        free.thread = std::thread{[this, &free] { work_at(free); }};
        free.service = std::move(service);
        vacant_.pop_back();
        ++size_;
        ++arriving_;
    }

    /// The number of threads.
    [[nodiscard]] std::size_t size() {
        const std::lock_guard lock{mutex_};
        return size_;
    }
    /// The number of threads that wait to be called.
    [[nodiscard]] std::size_t idle() {
        const std::lock_guard lock{mutex_};
        return idle_.size();
    }

  private:
    /// The state of one thread. It exists as long as the pool, so it may be notified at any time.
    struct seat {
        std::condition_variable called;
        ref<arena_service> service;
        std::thread thread;
        bool is_settled = false;  // asleep until called
    };

    /// The last of `vacant_`, which gets a new seat if it is empty.
    [[nodiscard]] seat& vacant_seat() {
        if (vacant_.empty()) {
            idle_.reserve(seats_.size() + 1);
            vacant_.reserve(seats_.size() + 1);
            seats_.push_back(std::make_unique<seat>());
            vacant_.push_back(seats_.back().get());
        }
        return *vacant_.back();
    }

    void work_at(seat& mine) {
        std::unique_lock lock{mutex_};
        --arriving_;
        do {
            const auto service = std::move(mine.service);
            lock.unlock();
            service->serve();
            lock.lock();
            idle_.push_back(&mine);
        } while (is_called(mine, lock));
        std::erase(idle_, &mine);
        vacant_.push_back(&mine);
        --size_;
    }

    /// Sleeps until the thread is called; returns false if it must end.
    [[nodiscard]] bool is_called(seat& mine, std::unique_lock<std::mutex>& lock) {
        const auto limit = clock::now() + idle_limit_;
        while (!mine.service && !is_closing_) {
            if (is_exiting_) {
                mine.is_settled = true;
                settling_.notify_all();
                mine.called.wait(lock);
                mine.is_settled = false;
            } else if (mine.called.wait_until(lock, limit) == std::cv_status::timeout &&
                       !is_exiting_) {
                break;
            }
        }
        return static_cast<bool>(mine.service);
    }

    /// Called at process exit. Once it returns, no code of this library runs on idle threads, and no
    /// thread enters or leaves TBB, so objects and libraries that the threads use may be destroyed. A
    /// forked child has none of the threads.
    void settle() {
        if (tbb_threads::are_missing()) {
            return;
        }
        arena_gate::instance().close();
        {
            std::unique_lock lock{mutex_};
            is_exiting_ = true;
            for (seat* const each : idle_) {
                each->called.notify_one();
            }
            settling_.wait(lock, [this] {
                return std::ranges::all_of(idle_, [](const seat* s) { return s->is_settled; });
            });
        }
        join_if([this](const seat& each) {
            return each.thread.joinable() && std::ranges::count(vacant_, &each) != 0;
        });
    }

    template <class Condition>
    void join_if(Condition condition) {
        std::vector<std::thread> leaving;
        {
            const std::lock_guard lock{mutex_};
            for (const auto& each : seats_) {
                if (condition(*each)) {
                    leaving.push_back(std::move(each->thread));
                }
            }
        }
        for (std::thread& each : leaving) {
            each.join();
        }
    }

    /// How often a call yields while started threads have not begun: they may soon be idle. Yielding takes
    /// no longer than starting many more threads would.
    static constexpr int most_yields = 100;

    const clock::duration idle_limit_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<seat>> seats_;
    std::vector<seat*> idle_;    // with a thread that waits to be called
    std::vector<seat*> vacant_;  // without a thread, or with one that has left
    std::size_t size_ = 0;
    std::size_t arriving_ = 0;  // threads, included in `size_`, that have not begun
    bool is_closing_ = false;

    std::condition_variable settling_;
    bool is_exiting_ = false;
};

}  // namespace pointsman::detail
