// SPDX-License-Identifier: Apache-2.0
// A bounded table of tuners, one per kind of task, that evicts the least recently used.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "pointsman/tuning/task_key.hpp"
#include "pointsman/tuning/tuner.hpp"

namespace pointsman {

/// A tuner with the lock that its callers share, and its current choice, which can be read without the
/// lock. It serves one kind of task after another; each such term has a number.
class locked_tuner {
  public:
    locked_tuner(std::size_t size, tuner_settings settings)
        : size_{size}, settings_{settings}, tuner_{size, settings} {}

    /// The best resource while the tuner has nothing to measure.
    struct alignas(8) steady_choice {
        std::uint32_t index = 0;
        std::uint16_t period = 0;  ///< one task in `period` must be timed; 0: ask the tuner
        std::uint16_t term = 0;    ///< the term in which this is valid
    };
    [[nodiscard, gnu::always_inline]] steady_choice steady() const noexcept {
        return steady_.load(std::memory_order_relaxed);
    }

    /// Calls `f(tuner&)` under the lock. Returns false, without the call, if `term` has ended.
    template <class F>
    bool with(std::uint16_t term, F&& f) {
        std::lock_guard lock{mutex_};
        if (term != steady().term) {
            return false;
        }
        std::forward<F>(f)(tuner_);
        publish(term);
        return true;
    }

    /// Discards everything learnt and begins the next term.
    void begin_term() {
        std::lock_guard lock{mutex_};
        tuner_ = tuner{size_, settings_};
        publish(static_cast<std::uint16_t>(steady().term + 1));
    }

    /// Counts a look-up; returns how many came before it.
    std::uint32_t count_fetch() noexcept {
        return fetches_.fetch_add(1, std::memory_order_relaxed);
    }

    /// Marks the tuner as in use although no look-up found it in the table.
    void touch() noexcept { touched_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool was_touched() noexcept {
        return touched_.exchange(false, std::memory_order_relaxed);
    }

  private:
    void publish(std::uint16_t term) noexcept {
        steady_choice now{0, 0, term};
        if (tuner_.is_settled()) {
            now.index = static_cast<std::uint32_t>(*tuner_.best());
            now.period = static_cast<std::uint16_t>(tuner_.sampling_period());
        }
        steady_.store(now, std::memory_order_relaxed);
    }

    std::size_t size_;
    tuner_settings settings_;
    std::mutex mutex_;
    tuner tuner_;
    std::atomic<steady_choice> steady_{};
    std::atomic<std::uint32_t> fetches_{0};
    std::atomic<bool> touched_{false};
};

/// The tuner of one kind of task, while it serves that kind. Must not outlive its table.
struct tuner_in_term {
    locked_tuner* tuner = nullptr;
    std::uint16_t term = 0;

    /// Calls `f(tuner&)` under the lock. Returns false, without the call, if the term has ended.
    template <class F>
    bool with(F&& f) const {
        return tuner->with(term, std::forward<F>(f));
    }
    friend bool operator==(const tuner_in_term&, const tuner_in_term&) = default;
};

/// Tuners by key. Beyond `capacity`, the term of the least recently used tuner ends and it serves the
/// new key.
/// **Thread safety**: any thread.
class tuner_table {
  public:
    static constexpr std::size_t default_capacity = 1024;

    tuner_table(std::size_t resources, tuner_settings settings,
                std::size_t capacity = default_capacity)
        : resources_{resources}, settings_{settings}, capacity_{capacity} {}

    /// Returns the tuner of `key`; a new one if the table has none.
    [[nodiscard]] tuner_in_term find(const task_key& key) {
        std::lock_guard lock{mutex_};
        if (const auto known = places_.find(key); known != places_.end()) {
            by_use_.splice(by_use_.begin(), by_use_, known->second);
        } else {
            make_place(key);
        }
        locked_tuner* const found = by_use_.front().tuner.get();
        return {found, found->steady().term};
    }

    [[nodiscard]] std::size_t size() const {
        std::lock_guard lock{mutex_};
        return places_.size();
    }

  private:
    struct entry {
        task_key key;
        std::unique_ptr<locked_tuner> tuner;
    };

    /// Puts a new tuner for `key` in front.
    void make_place(const task_key& key) {
        if (by_use_.size() < capacity_) {
            std::list<entry> fresh;
            fresh.push_front({key, std::make_unique<locked_tuner>(resources_, settings_)});
            places_.emplace(key, fresh.begin());
            by_use_.splice(by_use_.begin(), fresh);
            return;
        }
        while (by_use_.back().tuner->was_touched()) {
            by_use_.splice(by_use_.begin(), by_use_, std::prev(by_use_.end()));
        }
        const auto oldest = std::prev(by_use_.end());
        places_.emplace(key, oldest);
        places_.erase(std::exchange(oldest->key, key));
        oldest->tuner->begin_term();
        by_use_.splice(by_use_.begin(), by_use_, oldest);
    }

    std::size_t resources_;
    tuner_settings settings_;
    std::size_t capacity_;
    mutable std::mutex mutex_;
    std::list<entry> by_use_;
    std::unordered_map<task_key, std::list<entry>::iterator, task_key_hash> places_;
};

}  // namespace pointsman
