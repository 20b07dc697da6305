// SPDX-License-Identifier: Apache-2.0
// A small cache of kinds of task for each thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "pointsman/policy/detail/thread_slots.hpp"
#include "pointsman/tuning/cost_model.hpp"

namespace pointsman::detail {

/// A cache entry: a kind of task in its term.
struct cached_kind {
    task_key key;
    cost_kind* kind = nullptr;
    std::uint32_t untimed = 0;  ///< tasks before the next timed task
    std::uint16_t term = 0;
    std::chrono::nanoseconds fresh_until = std::chrono::nanoseconds::max();
};

/// A two-way associative cache for each thread.
/// **Thread safety**: any thread, each under its own index (`thread_slots`).
class cached_kinds {
  public:
    /// Returns the entry of `key` for `thread`, or the entry to replace by it; null if the thread has no
    /// cache.
    [[nodiscard, gnu::always_inline]] cached_kind* place_of(const task_key& key,
                                                            std::size_t thread) const noexcept {
        auto* const mine = slots_.of(thread);
        if (mine == nullptr) {
            return nullptr;
        }
        const std::size_t index = entry_index(key);
        cached_kind& first = (*mine)[index];
        return first.key == key || first.kind == nullptr ? &first : &(*mine)[index ^ 1U];
    }

  private:
    static constexpr std::size_t entries = 16;

    [[nodiscard]] static std::size_t entry_index(const task_key& key) noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
        return ((key.callable + key.sizes * odd) * odd) >> 60U;
    }

    thread_slots<std::array<cached_kind, entries>> slots_;
};

}  // namespace pointsman::detail
