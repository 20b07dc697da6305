// SPDX-License-Identifier: Apache-2.0
// The timings that best_fit has collected for one function on one list of executors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "pointsman/clock.hpp"
#include "pointsman/tuning/task_key.hpp"
#include "pointsman/tuning/tuner_table.hpp"

namespace pointsman::detail {

/// Bit `i` is set if the checks accepted executor `i` of the list.
using accepted_set = std::uint32_t;

/// The list index of the accepted executor with `number` accepted executors before it.
[[nodiscard]] constexpr std::size_t list_index(accepted_set accepted, std::size_t number) {
    std::size_t index = 0;
    for (; number > 0 || (accepted >> index & 1U) == 0; ++index) {
        number -= accepted >> index & 1U;
    }
    return index;
}

/// A timed call: passes its time or its failure to the tuner. Call `ended` or `failed` exactly once.
class timed_call {
  public:
    timed_call(tuner_in_term tuner, std::size_t index) noexcept : tuner_{tuner}, index_{index} {}

    void ended(clock::duration time, bool exact) const {
        tuner_.with([&](tuner& t) {
            t.add(index_, time, {.exact = exact, .contended = false}, clock::duration::zero());
            t.release(index_);
        });
    }
    void failed() const {
        tuner_.with([&](tuner& t) {
            t.fail(index_);
            t.release(index_);
        });
    }

  private:
    tuner_in_term tuner_;
    std::size_t index_;
};

/// Tuners by key, separately for each set of accepted executors. Owns no clock.
/// **Thread safety**: any thread.
class fit_tuning {
  public:
    /// A thread's cache of the last choice for a key. The next `untimed` calls use it.
    struct entry {
        task_key key;
        tuner_in_term tuner;
        std::uint32_t untimed = 0;
        accepted_set accepted = 0;
    };
    /// The list index of the executor for the next call, if the cache applies; otherwise `none`.
    static constexpr std::size_t none = 64;
    [[nodiscard, gnu::always_inline]] static std::size_t recall(entry& known,
                                                                const task_key& key) noexcept {
        if (known.untimed == 0 || known.key != key) {
            return none;
        }
        const auto steady = known.tuner.tuner->steady();
        if (steady.period == 0 || steady.term != known.tuner.term) {
            return none;
        }
        --known.untimed;
        return list_index(known.accepted, steady.index);
    }

    struct choice {
        timed_call call;
        std::size_t index;  ///< in the list of all executors
    };
    /// Chooses the executor for a timed call and caches the choice in `known`. `accepted` is not 0.
    [[nodiscard]] choice choose(const task_key& key, accepted_set accepted, entry& known) {
        tuner_table& table = table_of(accepted);
        std::size_t index = 0;
        const auto ask = [&](tuner& t) { index = t.choose(clock::duration::zero()); };
        tuner_in_term found = table.find(key);
        while (!found.with(ask)) {
            found = table.find(key);
        }
        const std::uint32_t period = found.tuner->steady().period;
        const std::uint32_t calls = period == 0 ? 1 : std::max(period, shortest_period);
        known = {key, found, calls - 1, accepted};
        return {timed_call{found, index}, list_index(accepted, index)};
    }

    /// Once the fastest executor is known, at most one call in `shortest_period` is timed.
    static constexpr std::uint32_t shortest_period = 32;

  private:
    tuner_table& table_of(accepted_set accepted) {
        const std::lock_guard lock{mutex_};
        const auto count = static_cast<std::size_t>(std::popcount(accepted));
        return tables_.try_emplace(accepted, count, never_resample).first->second;
    }

    std::mutex mutex_;
    std::map<accepted_set, tuner_table> tables_;
};

}  // namespace pointsman::detail
