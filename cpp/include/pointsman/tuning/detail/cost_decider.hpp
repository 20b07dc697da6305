// SPDX-License-Identifier: Apache-2.0
// The rules by which a cost model takes one resource: the best, or one about which to learn.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "pointsman/tuning/detail/cost_kind.hpp"
#include "pointsman/tuning/detail/cost_prediction.hpp"

namespace pointsman::detail {

/// Where a task is to run.
struct cost_decision {
    std::size_t index;
    std::chrono::nanoseconds predicted;  ///< zero while nothing is known
    bool is_measurement;                 ///< chosen to learn the cost there
};

/// One decision for a task of the kind `of`. `waits` has for each resource the time until the task could
/// start, in nanoseconds; `predictions`, as long, is written to.
class cost_decider {
  public:
    cost_decider(cost_kind& of, std::span<const double> waits,
                 std::span<cost_prediction> predictions)
        : of_{of}, waits_{waits}, predictions_{predictions} {
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            predictions_[i] = predict_cost(of, i);
            if (predictions_[i].is_known() && may_run(i) && (!best_ || end(i) < end(*best_))) {
                best_ = i;
            }
        }
    }

    [[nodiscard]] cost_decision decide() {
        if (!best_) {
            return {first_to_try(), {}, true};
        }
        if (const auto unknown = worth_trying()) {
            return {*unknown, {}, true};
        }
        if (const auto likely = might_be_best()) {
            of_.tried += lost(*likely);
            return {*likely, predictions_[*likely].time(), true};
        }
        if (const auto other = due_for_a_look()) {
            return {*other, predictions_[*other].time(), true};
        }
        return {*best_, predictions_[*best_].time(), false};
    }

  private:
    static constexpr double invested_share = 1;    // of a callable's work, on unknown resources
    static constexpr double tried_share = 0.1;     // of a kind's work, on those that might be best
    static constexpr double looked_share = 0.004;  // of a kind's work, on those that are not
    static constexpr double least_look = 0.02;     // lost by a look at least, of the best cost
    static constexpr double optimism_of_guesses = 1;  // standard errors, of a prediction
    static constexpr double exploration = 0.3;        // scales the bound of the bandit UCB1
    static constexpr double unknown_ratio = 1.65;     // mean of a lognormal ratio with sigma 1
    static constexpr double highest_ratio = 10;       // to the best, that a warm-up may suggest

    [[nodiscard]] double end(std::size_t i) const noexcept {
        return waits_[i] + predictions_[i].cost();
    }
    [[nodiscard]] double lost(std::size_t i) const noexcept { return end(i) - end(*best_); }
    [[nodiscard]] bool may_run(std::size_t i) const noexcept {
        const cost_cell& at = of_.cells[i];
        return at.failures == 0 || (at.outstanding == 0 && of_.runs >= at.retry_at);
    }
    [[nodiscard]] bool may_be_tried(std::size_t i) const noexcept {
        return i != *best_ && of_.cells[i].outstanding == 0 && may_run(i);
    }

    /// While no cost is known: an idle resource that has warmed up, or else the one with the fewest runs;
    /// one that fails only if all do.
    [[nodiscard]] std::size_t first_to_try() const noexcept {
        constexpr double after_all_others = 1e9;
        constexpr double begun_weight = 4;  // a run begun counts as so many outstanding tasks
        const auto& resources = of_.callable.resources;
        std::size_t found = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < resources.size(); ++i) {
            const cost_cell& at = of_.cells[i];
            const bool is_warm = resources[i].finished > 0 && at.outstanding == 0;
            const double runs =
                is_warm ? 0 : 1 + begun_weight * static_cast<double>(resources[i].begun);
            const double rank = (may_run(i) ? 0 : after_all_others * at.failures) + runs +
                                static_cast<double>(at.outstanding);
            if (rank < least) {
                least = rank;
                found = i;
            }
        }
        return found;
    }

    /// A resource of which nothing is known, if the work that may be lost there can be afforded.
    [[nodiscard]] std::optional<std::size_t> worth_trying() const noexcept {
        const cost_callable& all = of_.callable;
        const double best = predictions_[*best_].cost();
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            const warm_up& warm = all.resources[i];
            if (predictions_[i].is_known() || warm.outstanding > 0 || !may_run(i)) {
                continue;
            }
            const double expected =
                warm.finished == 0
                    ? unknown_ratio * best
                    : std::clamp(warm.time * std::exp(cost_slope * (of_.size - warm.size)), best,
                                 highest_ratio * best);
            const double lost = waits_[i] + expected - end(*best_);
            if (all.invested + lost <= invested_share * (all.worked + best)) {
                return i;
            }
        }
        return std::nullopt;
    }

    /// The resource that is best if its cost is as low as its uncertainty allows.
    [[nodiscard]] std::optional<std::size_t> might_be_best() const noexcept {
        const double z = std::sqrt(2 * exploration * std::log(2.0 + static_cast<double>(of_.runs)));
        const cost_callable& all = of_.callable;
        std::optional<std::size_t> found;
        double least = end(*best_);
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            if (!predictions_[i].is_known() || !may_be_tried(i)) {
                continue;
            }
            const evidence& known = of_.cells[i].known;
            const bool is_guess = known.empty();
            const bool is_affordable =
                of_.tried + lost(i) <= tried_share * of_.worked ||
                (is_guess && all.invested + lost(i) <= invested_share * all.worked);
            double lowest = std::exp(predictions_[i].value -
                                     (is_guess ? optimism_of_guesses : z) * predictions_[i].error);
            if (!is_guess && known.may_have_fallen()) {
                lowest = std::min(lowest, known.mean_if_fallen());
            }
            if (is_affordable && waits_[i] + lowest < least) {
                least = waits_[i] + lowest;
                found = i;
            }
        }
        return found;
    }

    /// A resource whose share of looks has been saved up since it was last looked at.
    [[nodiscard]] std::optional<std::size_t> due_for_a_look() const noexcept {
        if (predictions_.size() < 2) {
            return std::nullopt;
        }
        const double best = predictions_[*best_].cost();
        const double saved_each_run =
            best * looked_share / static_cast<double>(predictions_.size() - 1);
        for (std::size_t i = 0; i < predictions_.size(); ++i) {
            if (!predictions_[i].is_known() || !may_be_tried(i)) {
                continue;
            }
            const auto runs = static_cast<double>(of_.runs - of_.cells[i].looked_at);
            if (runs * saved_each_run > std::max(lost(i), least_look * best)) {
                return i;
            }
        }
        return std::nullopt;
    }

    cost_kind& of_;
    std::span<const double> waits_;
    std::span<cost_prediction> predictions_;
    std::optional<std::size_t> best_;
};

}  // namespace pointsman::detail
