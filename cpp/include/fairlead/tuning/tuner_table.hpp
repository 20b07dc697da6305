// SPDX-License-Identifier: Apache-2.0
// A bounded table of tuners, one for each kind of task.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "fairlead/tuning/task_key.hpp"
#include "fairlead/tuning/tuner.hpp"

namespace fairlead {

/// A tuner with the lock that its callers share, and its present choice, which needs no lock.
class locked_tuner {
  public:
    locked_tuner(std::size_t size, std::chrono::nanoseconds resample_time)
        : tuner_{size, resample_time} {}

    /// The best resource while the tuner has nothing to find out.
    struct steady_choice {
        std::uint32_t index = 0;
        std::uint32_t period = 0;  ///< one task in so many has to be timed; 0: ask the tuner
    };
    [[nodiscard]] steady_choice steady() const noexcept {
        return steady_.load(std::memory_order_relaxed);
    }

    /// Calls `f(tuner&)` under the lock.
    template <class F>
    decltype(auto) with(F&& f) {
        std::lock_guard lock{mutex_};
        const publisher at_the_end{*this};
        return std::forward<F>(f)(tuner_);
    }

    /// Tells the table that it is in use although nobody looked for it there.
    void touch() noexcept { touched_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool was_touched() noexcept {
        return touched_.exchange(false, std::memory_order_relaxed);
    }

  private:
    struct publisher {
        locked_tuner& self;
        ~publisher() {
            const auto best = self.tuner_.best();
            self.steady_.store(best ? steady_choice{static_cast<std::uint32_t>(*best),
                                                    self.tuner_.sampling_period()}
                                    : steady_choice{},
                               std::memory_order_relaxed);
        }
    };

    std::mutex mutex_;
    tuner tuner_;
    std::atomic<steady_choice> steady_{};
    std::atomic<bool> touched_{false};
};

/// Finds the tuner of a key, making it when there is none. Beyond `capacity` keys the one that was
/// not used for longest is forgotten.
/// **Thread safety**: any thread.
class tuner_table {
  public:
    static constexpr std::size_t default_capacity = 1024;

    tuner_table(std::size_t resources, std::chrono::nanoseconds resample_time,
                std::size_t capacity = default_capacity)
        : resources_{resources}, resample_time_{resample_time}, capacity_{capacity} {}

    [[nodiscard]] std::shared_ptr<locked_tuner> find(const task_key& key) {
        std::lock_guard lock{mutex_};
        if (auto known = places_.find(key); known != places_.end()) {
            by_use_.splice(by_use_.begin(), by_use_, known->second);
            return known->second->second;
        }
        auto made = std::make_shared<locked_tuner>(resources_, resample_time_);
        by_use_.emplace_front(key, made);
        places_.emplace(key, by_use_.begin());
        if (places_.size() > capacity_) {
            while (by_use_.back().second->was_touched()) {
                by_use_.splice(by_use_.begin(), by_use_, std::prev(by_use_.end()));
            }
            places_.erase(by_use_.back().first);
            by_use_.pop_back();
        }
        return made;
    }

    [[nodiscard]] std::size_t size() const {
        std::lock_guard lock{mutex_};
        return places_.size();
    }

  private:
    using entry = std::pair<task_key, std::shared_ptr<locked_tuner>>;

    std::size_t resources_;
    std::chrono::nanoseconds resample_time_;
    std::size_t capacity_;
    mutable std::mutex mutex_;
    std::list<entry> by_use_;
    std::unordered_map<task_key, std::list<entry>::iterator, task_key_hash> places_;
};

}  // namespace fairlead
