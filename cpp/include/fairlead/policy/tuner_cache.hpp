// SPDX-License-Identifier: Apache-2.0
// The tuners that each thread used last, found without a lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fairlead/policy/thread_slots.hpp"
#include "fairlead/tuning/tuner_table.hpp"

namespace fairlead::detail {

/// A tuner that one thread keeps at hand.
struct cached_tuner {
    task_key key;
    tuner_in_term tuner;
    std::uint32_t untimed = 0;  ///< tasks until the next that is timed; 0 without a tuner
};

/// The last tuners of each thread, each key at a fixed place.
/// **Thread safety**: any thread, each under its own index (`thread_slots`).
class tuner_cache {
  public:
    /// Where the cache of `thread` has room for `key`, whether or not it is there; null when the thread
    /// has no cache.
    [[nodiscard]] cached_tuner* place_of(const task_key& key, std::size_t thread) const noexcept {
        auto* const mine = slots_.of(thread);
        return mine != nullptr ? &(*mine)[place_number(key)] : nullptr;
    }

  private:
    static constexpr std::size_t places = 4;

    [[nodiscard]] static std::size_t place_number(const task_key& key) noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
        return ((key.callable + key.sizes * odd) * odd) >> 62U;
    }

    thread_slots<std::array<cached_tuner, places>> slots_;
};

}  // namespace fairlead::detail
