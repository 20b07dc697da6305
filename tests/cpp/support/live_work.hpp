// SPDX-License-Identifier: Apache-2.0
// Work that threads of the test end, and the count of what is left of it.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "support/manual_work.hpp"

namespace pointsman::test {

/// Work that calls back, and counts how much of it exists.
struct live_work : calling_work {
    explicit live_work(std::atomic<int>& alive)
        : count{&alive, [](std::atomic<int>* counted) { --*counted; }} {
        ++alive;
    }

    std::shared_ptr<std::atomic<int>> count;
};

/// Ends work on two threads, in random order, one in `failing` of it with a failure.
class enders {
  public:
    explicit enders(unsigned failing) : failing_{failing} {}
    ~enders() {
        stopping_ = true;
        for (std::jthread& each : threads_) {
            each.join();
        }
        for (live_work& left : works_) {
            left.succeed();
        }
    }

    /// Begins work that one of the threads will end.
    live_work begin() {
        live_work work{alive_};
        const std::lock_guard lock{mutex_};
        works_.push_back(work);
        return work;
    }
    /// Returns how many pieces of work exist, also those that have ended.
    [[nodiscard]] int alive() const { return alive_; }

  private:
    void end_works(unsigned seed) {
        std::mt19937 random{seed};
        while (!stopping_) {
            if (auto work = take(random())) {
                if (random() % failing_ == 0) {
                    work->fail();
                } else {
                    work->succeed();
                }
            } else {
                std::this_thread::yield();
            }
        }
    }
    std::optional<live_work> take(std::size_t number) {
        const std::lock_guard lock{mutex_};
        if (works_.empty()) {
            return {};
        }
        std::swap(works_[number % works_.size()], works_.back());
        live_work work = std::move(works_.back());
        works_.pop_back();
        return work;
    }

    const unsigned failing_;
    std::atomic<int> alive_{0};
    std::mutex mutex_;
    std::vector<live_work> works_;
    std::atomic<bool> stopping_{false};
    std::array<std::jthread, 2> threads_{std::jthread{[this] { end_works(1); }},
                                         std::jthread{[this] { end_works(2); }}};
};

}  // namespace pointsman::test
