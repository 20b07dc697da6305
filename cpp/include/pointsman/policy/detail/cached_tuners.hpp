// SPDX-License-Identifier: Apache-2.0
// The tuners of a policy, with a small cache for each thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/policy/detail/thread_slots.hpp"
#include "pointsman/tuning/tuner_table.hpp"

namespace pointsman::detail {

/// A cache entry: the tuner of one kind of task.
struct cached_tuner {
    using duration = std::chrono::nanoseconds;
    task_key key;
    tuner_in_term tuner;
    std::uint32_t untimed = 0;  ///< tasks before the next timed task; 0 without a tuner
    duration fresh_until = duration::max();
};

/// A table of tuners with a two-way associative cache for each thread.
/// **Thread safety**: any thread, each under its own index (`thread_slots`).
class cached_tuners {
  public:
    using duration = std::chrono::nanoseconds;

    cached_tuners(std::size_t resources, tuner_settings settings)
        : table_{resources, settings}, resamples_{settings.resample_time > duration::zero()} {}

    /// Returns the cache entry of `key` for `thread`, or the entry to replace by it; null if the thread
    /// has no cache.
    [[nodiscard, gnu::always_inline]] cached_tuner* place_of(const task_key& key,
                                                             std::size_t thread) const noexcept {
        auto* const mine = slots_.of(thread);
        if (mine == nullptr) {
            return nullptr;
        }
        const std::size_t index = entry_index(key);
        cached_tuner& first = (*mine)[index];
        return first.key == key || first.tuner.tuner == nullptr ? &first : &(*mine)[index ^ 1U];
    }

    /// Returns true if `entry` may still be used: its tuner need not measure again yet.
    [[nodiscard, gnu::always_inline]] bool is_fresh(const cached_tuner& entry) const noexcept {
        return !resamples_ || now() < entry.fresh_until;
    }

    /// Loads the tuner of `key`, which is not cached, into `entry`, for one untimed task. Once in every
    /// `period` calls the next task is timed instead, so that keys that evict each other are timed as
    /// seldom as all others.
    void fetch(const task_key& key, cached_tuner& entry) {
        const auto found = table_.find(key);
        const auto steady = found.tuner->steady();
        const bool due = steady.period == 0 || found.tuner->count_fetch() % steady.period == 0;
        entry = {key, found, due || resamples_ ? 0U : 1U};
    }

    /// Calls `f(tuner&, now)` with the tuner of `key`, and caches the tuner in `entry`, which may be null.
    template <class F>
    tuner_in_term ask(const task_key& key, cached_tuner* entry, F&& f) {
        duration fresh_until{};
        const auto call = [&, at = now()](tuner& t) {
            f(t, at);
            fresh_until = t.measures_again_at();
        };
        auto found = entry != nullptr && entry->key == key ? entry->tuner : tuner_in_term{};
        while (found.tuner == nullptr || !found.with(call)) {
            found = table_.find(key);
        }
        if (entry != nullptr) {
            *entry = {key, found, 0, fresh_until};
            found.tuner->touch();
        }
        return found;
    }

    /// Returns the tuner of `key` from the table.
    [[nodiscard]] tuner_in_term find(const task_key& key) { return table_.find(key); }

    /// Returns the estimated time of `key` on each resource; empty for a resource without an estimate.
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const task_key& key,
                                                                 std::size_t resources) {
        std::vector<std::optional<duration>> known(resources);
        find(key).with([&](const tuner& t) {
            for (std::size_t i = 0; i < resources; ++i) {
                known[i] = t.estimate(i);
            }
        });
        return known;
    }

    /// Returns the time for the tuners, which need it only to resample; otherwise zero.
    [[nodiscard]] duration now() const noexcept {
        return resamples_ ? clock::now().time_since_epoch() : duration::zero();
    }

  private:
    static constexpr std::size_t entries = 16;

    [[nodiscard]] static std::size_t entry_index(const task_key& key) noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
        return ((key.callable + key.sizes * odd) * odd) >> 60U;
    }

    tuner_table table_;
    thread_slots<std::array<cached_tuner, entries>> slots_;
    bool resamples_;
};

}  // namespace pointsman::detail
