// SPDX-License-Identifier: Apache-2.0
// The tuners of a policy, with those that each thread used last at hand.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "fairlead/clock.hpp"
#include "fairlead/policy/thread_slots.hpp"
#include "fairlead/tuning/tuner_table.hpp"

namespace fairlead::detail {

/// A tuner that one thread keeps at hand.
struct cached_tuner {
    task_key key;
    tuner_in_term tuner;
    std::uint32_t untimed = 0;  ///< tasks until the next that is timed; 0 without a tuner
};

/// A table of tuners with a cache for each thread, where each key has a fixed place.
/// **Thread safety**: any thread, each under its own index (`thread_slots`).
class cached_tuners {
  public:
    using duration = std::chrono::nanoseconds;

    /// Throws: `invalid_option` for a negative `resample_time`.
    cached_tuners(std::size_t resources, duration resample_time)
        : table_{resources, resample_time}, resamples_{resample_time > duration::zero()} {}

    /// Where the cache of `thread` has room for `key`, whether or not it is there; null when the
    /// thread has no cache.
    [[nodiscard]] cached_tuner* place_of(const task_key& key, std::size_t thread) const noexcept {
        auto* const mine = slots_.of(thread);
        return mine != nullptr ? &(*mine)[place_number(key)] : nullptr;
    }

    /// Calls `f(tuner&, now)` with the tuner of `key`, which stays at hand in `place`.
    template <class F>
    tuner_in_term ask(const task_key& key, cached_tuner* place, F&& f) {
        const auto call = [&, at = now()](tuner& t) { f(t, at); };
        auto found = place != nullptr && place->key == key ? place->tuner : tuner_in_term{};
        while (found.tuner == nullptr || !found.with(call)) {
            found = table_.find(key);
        }
        if (place != nullptr) {
            *place = {key, found};
            found.tuner->touch();
        }
        return found;
    }

    /// For the tuners, which need the time only to resample.
    [[nodiscard]] duration now() const noexcept {
        return resamples_ ? clock::now().time_since_epoch() : duration::zero();
    }

  private:
    static constexpr std::size_t places = 4;

    [[nodiscard]] static std::size_t place_number(const task_key& key) noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
        return ((key.callable + key.sizes * odd) * odd) >> 62U;
    }

    tuner_table table_;
    thread_slots<std::array<cached_tuner, places>> slots_;
    bool resamples_;
};

}  // namespace fairlead::detail
