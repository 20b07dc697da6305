// SPDX-License-Identifier: Apache-2.0
// The tuners that each thread used last, found without a lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "fairlead/policy/thread_slots.hpp"
#include "fairlead/tuning/tuner_table.hpp"

namespace fairlead::detail {

/// A tuner that one thread keeps at hand.
struct cached_tuner {
    task_key key;
    std::shared_ptr<locked_tuner> tuner;
    std::uint32_t users = 0;    ///< selections that borrow it
    std::uint32_t untimed = 0;  ///< tasks until the next that is timed
};

/// A tuner borrowed from the calling thread's cache, or owned.
class tuner_handle {
  public:
    explicit tuner_handle(std::shared_ptr<locked_tuner> tuner) noexcept
        : tuner_{tuner.get()}, owned_{std::move(tuner)} {}
    explicit tuner_handle(cached_tuner& lender) noexcept
        : tuner_{lender.tuner.get()}, lender_{&lender} {
        ++lender.users;
    }
    tuner_handle(tuner_handle&& other) noexcept
        : tuner_{other.tuner_},
          lender_{std::exchange(other.lender_, nullptr)},
          owned_{std::move(other.owned_)} {}
    /// A copy always owns.
    tuner_handle(const tuner_handle& other) noexcept
        : tuner_{other.tuner_},
          owned_{other.lender_ != nullptr ? other.lender_->tuner : other.owned_} {}
    tuner_handle& operator=(tuner_handle) = delete;
    ~tuner_handle() { give_back(); }

    /// Turns a borrowed tuner into an owned one, fit for any thread.
    void own() noexcept {
        if (lender_ != nullptr) {
            owned_ = lender_->tuner;
            give_back();
        }
    }

    locked_tuner& operator*() const noexcept { return *tuner_; }
    locked_tuner* operator->() const noexcept { return tuner_; }

  private:
    void give_back() noexcept {
        if (auto* lender = std::exchange(lender_, nullptr)) {
            --lender->users;
        }
    }

    locked_tuner* tuner_;
    cached_tuner* lender_ = nullptr;
    std::shared_ptr<locked_tuner> owned_;
};

/// The last tuners of each thread, each key at a fixed place.
/// **Thread safety**: any thread, each under its own index (`thread_slots`).
class tuner_cache {
  public:
    /// The tuner of `key` in the cache of `thread`, brought there from `table` when it is not. Null
    /// when the thread has no cache, or the place is in use for another key.
    [[nodiscard]] cached_tuner* find(const task_key& key, std::size_t thread, tuner_table& table) {
        auto* const mine = slots_.of(thread);
        if (mine == nullptr) {
            return nullptr;
        }
        cached_tuner& place = (*mine)[task_key_hash{}(key) % places];
        if (place.tuner != nullptr && place.key == key) {
            return &place;
        }
        return fetch(place, key, table);
    }

  private:
    [[gnu::noinline]] static cached_tuner* fetch(cached_tuner& place, const task_key& key,
                                                 tuner_table& table) {
        if (place.users != 0) {
            return nullptr;
        }
        place.tuner = table.find(key);
        place.key = key;
        place.untimed = 0;
        return &place;
    }

    static constexpr std::size_t places = 4;
    thread_slots<std::array<cached_tuner, places>> slots_;
};

}  // namespace fairlead::detail
