// SPDX-License-Identifier: Apache-2.0
// The tuners of a policy, with those that each thread used last at hand.
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

/// A tuner that one thread keeps at hand.
struct cached_tuner {
    using duration = std::chrono::nanoseconds;
    task_key key;
    tuner_in_term tuner;
    std::uint32_t untimed = 0;  ///< tasks until the next that is timed; 0 without a tuner
    duration fresh_until = duration::max();
};

/// A table of tuners with a cache for each thread, where each key has two places.
/// **Thread safety**: any thread, each under its own index (`thread_slots`).
class cached_tuners {
  public:
    using duration = std::chrono::nanoseconds;

    cached_tuners(std::size_t resources, tuner_settings settings)
        : table_{resources, settings}, resamples_{settings.resample_time > duration::zero()} {}

    /// Where the cache of `thread` has `key`, or has room for it; null when the thread has no cache.
    [[nodiscard, gnu::always_inline]] cached_tuner* place_of(const task_key& key,
                                                             std::size_t thread) const noexcept {
        auto* const mine = slots_.of(thread);
        if (mine == nullptr) {
            return nullptr;
        }
        const std::size_t number = place_number(key);
        cached_tuner& first = (*mine)[number];
        return first.key == key || first.tuner.tuner == nullptr ? &first : &(*mine)[number ^ 1U];
    }

    /// Whether `place` is still to be gone by; once the tuner has to measure again it is not.
    [[nodiscard, gnu::always_inline]] bool is_fresh(const cached_tuner& place) const noexcept {
        return !resamples_ || now() < place.fresh_until;
    }

    /// Puts the tuner of `key`, which is not at hand, into `place`, for one task that is not timed. Keys
    /// that drive each other out are timed as seldom as all others: every so many times it is for none.
    void fetch(const task_key& key, cached_tuner& place) {
        const auto found = table_.find(key);
        const auto steady = found.tuner->steady();
        const bool due = steady.period == 0 || found.tuner->count_fetch() % steady.period == 0;
        place = {key, found, due || resamples_ ? 0U : 1U};
    }

    /// Calls `f(tuner&, now)` with the tuner of `key`, which stays at hand in `place`.
    template <class F>
    tuner_in_term ask(const task_key& key, cached_tuner* place, F&& f) {
        duration fresh_until{};
        const auto call = [&, at = now()](tuner& t) {
            f(t, at);
            fresh_until = t.measures_again_at();
        };
        auto found = place != nullptr && place->key == key ? place->tuner : tuner_in_term{};
        while (found.tuner == nullptr || !found.with(call)) {
            found = table_.find(key);
        }
        if (place != nullptr) {
            *place = {key, found, 0, fresh_until};
            found.tuner->touch();
        }
        return found;
    }

    /// The tuner of `key`, at hand or not.
    [[nodiscard]] tuner_in_term find(const task_key& key) { return table_.find(key); }

    /// What is known of the time of `key` on each resource; empty where nothing is.
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

    /// For the tuners, which need the time only to resample.
    [[nodiscard]] duration now() const noexcept {
        return resamples_ ? clock::now().time_since_epoch() : duration::zero();
    }

  private:
    static constexpr std::size_t places = 16;

    [[nodiscard]] static std::size_t place_number(const task_key& key) noexcept {
        constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
        return ((key.callable + key.sizes * odd) * odd) >> 60U;
    }

    tuner_table table_;
    thread_slots<std::array<cached_tuner, places>> slots_;
    bool resamples_;
};

}  // namespace pointsman::detail
