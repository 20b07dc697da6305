// SPDX-License-Identifier: Apache-2.0
// The timings that best_fit has collected for one function on one list of executors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/task_key.hpp"

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

/// What has been learnt of calls on one set of accepted executors.
/// **Thread safety**: any thread.
class fit_model {
  public:
    explicit fit_model(std::size_t executors) : model_{executors}, idle_(executors) {}

    /// Calls `f(model, idle)`, where `idle` has no wait for each executor, under the lock.
    template <class F>
    auto locked(F f) {
        const std::lock_guard lock{mutex_};
        return f(model_, std::span<const double>{idle_});
    }

  private:
    std::mutex mutex_;
    cost_model model_;
    std::vector<double> idle_;
};

/// A timed call: passes its time or its failure on to what is learnt. Call `ended` or `failed` exactly once.
class timed_call {
  public:
    timed_call(fit_model& learns, const cost_kind& kind, std::size_t index) noexcept
        : learns_{&learns}, index_{index}, kind_{kind.number}, term_{kind.term()} {}

    void ended(clock::duration time, bool exact) const {
        complete(
            [&](cost_model& model, cost_kind& kind) { model.learn(kind, index_, time, exact); });
    }
    void failed() const {
        complete([&](cost_model& model, cost_kind& kind) { model.fail(kind, index_); });
    }

  private:
    template <class Report>
    void complete(Report report) const {
        learns_->locked([&](cost_model& model, auto) {
            if (auto* const kind = model.known(kind_, term_)) {
                report(model, *kind);
                model.release(*kind, index_);
            }
        });
    }

    fit_model* learns_;
    std::size_t index_;
    std::uint16_t kind_;
    std::uint16_t term_;
};

/// Models of calls, separately for each set of accepted executors. Owns no clock.
/// **Thread safety**: any thread.
class fit_tuning {
  public:
    /// A thread's cache of the last choice for a key. The next `untimed` calls use it.
    struct entry {
        task_key key;
        const cost_kind* kind = nullptr;
        std::uint32_t untimed = 0;
        accepted_set accepted = 0;
        std::uint16_t term = 0;
    };
    /// The list index of the executor for the next call, if the cache applies; otherwise `none`.
    static constexpr std::size_t none = 64;
    [[nodiscard, gnu::always_inline]] static std::size_t recall(entry& known,
                                                                const task_key& key) noexcept {
        if (known.untimed == 0 || known.key != key) {
            return none;
        }
        const auto settled = known.kind->settled();
        if (settled.period == 0 || settled.term != known.term) {
            return none;
        }
        --known.untimed;
        return list_index(known.accepted, settled.index);
    }

    struct choice {
        timed_call call;
        std::size_t index;  ///< in the list of all executors
    };
    /// Chooses the executor for a timed call and caches the choice in `known`. `accepted` is not 0.
    [[nodiscard]] choice choose(const task_key& key, accepted_set accepted, entry& known) {
        fit_model& learns = model_of(accepted);
        return learns.locked([&](cost_model& model, std::span<const double> idle) {
            auto& kind = model.find(key);
            const std::size_t index = model.choose(kind, idle).index;
            model.reserve(kind, index);
            const auto settled = kind.settled();
            const bool is_known = settled.period > 0 && kind.runs >= always_timed;
            const std::uint32_t calls =
                is_known ? std::max<std::uint32_t>(settled.period, shortest_period) : 1;
            known = {key, &kind, calls - 1, accepted, settled.term};
            return choice{timed_call{learns, kind, index}, list_index(accepted, index)};
        });
    }

    /// The first calls of a kind are all timed.
    static constexpr std::uint64_t always_timed = 8;
    /// Once the fastest executor is known, at most one call in `shortest_period` is timed.
    static constexpr std::uint32_t shortest_period = 32;

  private:
    fit_model& model_of(accepted_set accepted) {
        const std::lock_guard lock{mutex_};
        const auto count = static_cast<std::size_t>(std::popcount(accepted));
        return models_.try_emplace(accepted, count).first->second;
    }

    std::mutex mutex_;
    std::map<accepted_set, fit_model> models_;
};

}  // namespace pointsman::detail
