// SPDX-License-Identifier: Apache-2.0
// The rules by which a cost model takes one resource: the best, or one about which to learn.
#pragma once

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>

#include "pointsman/error.hpp"
#include "pointsman/tuning/detail/cost_kind.hpp"
#include "pointsman/tuning/detail/cost_prediction.hpp"
#include "pointsman/tuning/device_speed.hpp"
#include "pointsman/tuning/learning_settings.hpp"
#include "pointsman/tuning/measured_record.hpp"

namespace pointsman::detail {

/// Where a task is to run.
struct cost_decision {
    std::size_t index;
    std::chrono::nanoseconds predicted;  ///< cost; zero while nothing is known
    bool is_measurement;                 ///< chosen to learn the cost there
};

/// Work before a task counts so many times as much as the task.
inline constexpr double wait_weight = 3;

/// A resource of a cost model, and what is in the way of a task there.
struct cost_place {
    double alone = 1;        ///< how long a task of cost 1 takes by itself
    std::size_t domain = 0;  ///< the index of its domain
    double wait = 0;         ///< outstanding work of the domain, in nanoseconds
    double transfer = 0;     ///< until the task's arguments are there, in nanoseconds
    cost_prediction predicted{};
    double least = 0;  ///< of the costs in the domain
    device_speed speed{};
};

/// Chooses once for a task of the kind `of` among `places`, which have an element for each resource.
/// `others` is how many tasks are outstanding for each domain. They count for the choice if `weighs_others`, and
/// otherwise only for what a measurement costs.
class cost_decider {
  public:
    cost_decider(cost_kind& of, std::span<cost_place> places, double others, bool weighs_others,
                 const learning_settings& settings)
        : of_{of},
          places_{places},
          others_{weighs_others ? others : 0},
          settings_{settings},
          runs_in_a_row_{settings.runs_in_a_row} {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            cost_place& at = places_[i];
            at.predicted = predict_cost(of, i);
            at.least = at.predicted.is_known() ? at.predicted.cost
                                               : std::numeric_limits<double>::infinity();
            if (is_usable(i)) {
                earliest_ = std::min(earliest_, end_at_cost(i, at.predicted.cost));
            }
        }
        if (others > 0) {
            find_least();
        }
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (is_usable(i) && is_in_time(i, places_[i].predicted.cost) &&
                (!best_ || score(i) < score(*best_))) {
                best_ = i;
            }
        }
        if (best_ && time_alone(*best_) < static_cast<double>(settings.always_timed.count())) {
            asking_ = asking;
        }
        if (best_ && !weighs_others) {
            delayed_ = std::min(others, places_[*best_].alone);
        }
    }

    /// The resource on which the task is predicted to end first; empty while nothing is known.
    [[nodiscard]] std::optional<std::size_t> best() const noexcept { return best_; }
    /// Time that a task takes on `index` if nothing else runs there.
    [[nodiscard]] double time_alone(std::size_t index) const noexcept {
        return places_[index].predicted.cost * places_[index].alone;
    }
    [[nodiscard]] bool may_run(std::size_t i) const noexcept {
        const cost_cell& at = of_.cells[i];
        return at.failures <= tolerated_failures ||
               (at.outstanding == 0 && of_.runs >= at.retry_at);
    }
    /// True for an unmeasured resource on which the callable is not running.
    [[nodiscard]] bool is_untried(std::size_t i) const noexcept {
        return !places_[i].predicted.is_known() && of_.callable->resources[i].outstanding == 0 &&
               may_run(i);
    }
    /// The expected cost on an unmeasured resource, from its warm-up run if there was one.
    [[nodiscard]] double cost_if_tried(std::size_t i) const noexcept {
        const warm_up& warm = of_.callable->resources[i];
        const double best = time_alone(*best_);
        const double alone = places_[i].alone;
        return (warm.finished == 0
                    ? unknown_ratio * best
                    : std::clamp(warm.time * alone * std::exp(cost_slope * (of_.size - warm.size)),
                                 best, highest_ratio * best)) /
               alone;
    }

    /// **Throws**: `unknown_kind`.
    [[nodiscard]] cost_decision decide() {
        if (of_.pinned() != cost_kind::nowhere) {
            return {of_.pinned(), predicted(of_.pinned()), false};
        }
        if (settings_.mode == learning_mode::frozen) {
            return decide_frozen();
        }
        if (!best_) {
            return measure(first_to_try());
        }
        if (of_.runs_left > 0 && may_run(of_.measured)) {
            --of_.runs_left;
            return {of_.measured, predicted(of_.measured), true};
        }
        if (const auto unknown = worth_trying()) {
            return measure(*unknown);
        }
        if (const auto likely = might_be_best()) {
            of_.tried += loss(*likely);
            return measure(*likely);
        }
        if (const auto other = due_for_a_look()) {
            return measure(*other);
        }
        return {*best_, predicted(*best_), false};
    }

    /// Records what `decide` compared for the decision. A score that would have won counts as not compared
    /// where the task would have ended too late.
    void record(const cost_decision& decided, measured_record& in) const noexcept {
        constexpr auto unknown = std::numeric_limits<float>::infinity();
        in.size = static_cast<std::uint32_t>(std::min(places_.size(), measured_record::most));
        in.failing = in.from_others = 0;
        for (std::size_t i = 0; i < in.size; ++i) {
            const cost_prediction& predicted = places_[i].predicted;
            const auto bit = static_cast<std::uint8_t>(1U << i);
            const bool is_compared = is_usable(i) && (is_in_time(i, predicted.cost) ||
                                                      (best_ && score(i) >= score(*best_)));
            in.candidates[i] = {predicted.is_known() ? static_cast<float>(time_alone(i)) : unknown,
                                is_compared ? static_cast<float>(score(i)) : unknown};
            in.failing |= may_run(i) ? 0 : bit;
            in.from_others |= predicted.is_known() && !of_.cells[i].own.is_known() ? bit : 0;
        }
        in.reason = of_.pinned() != cost_kind::nowhere        ? measured_reason::pinned
                    : !best_ && !decided.is_measurement       ? measured_reason::by_default
                    : !decided.is_measurement                 ? measured_reason::lowest_score
                    : of_.cells[decided.index].own.is_known() ? measured_reason::another_timing
                                                              : measured_reason::first_timing;
    }

  private:
    /// A failure may be the task's own; after more in a row the resource is left.
    static constexpr std::uint32_t tolerated_failures = 1;
    /// Nanoseconds that a short task loses by being timed, times five: 2 % of the work may be lost.
    static constexpr double asking = 2'500;
    static constexpr double invested_share = 1;    // of a callable's work, on unknown resources
    static constexpr double tried_share = 0.1;     // of a kind's work, on those that might be best
    static constexpr double looked_share = 0.004;  // of a kind's work, on those that are not
    static constexpr double least_look = 0.02;     // lost by a look at least, of the best time
    static constexpr double optimism_of_guesses = 1;  // standard errors, of a prediction
    static constexpr double usual_error = 2;          // of a prediction from a size nearby
    static constexpr double exploration = 0.3;        // scales the bound of the bandit UCB1
    static constexpr double unknown_ratio = 1.65;     // mean of a lognormal ratio with sigma 1
    static constexpr double highest_ratio = 10;       // to the best, that a warm-up may suggest

    /// A task goes nowhere where it ends later than after so many times the earliest end.
    static constexpr double most_delay = 2;

    [[nodiscard]] bool is_usable(std::size_t i) const noexcept {
        return places_[i].predicted.is_known() && may_run(i);
    }
    /// For each resource, the least cost in its domain; infinite while nothing is known there.
    void find_least() noexcept {
        if (std::ranges::max(places_, {}, &cost_place::domain).domain + 1 == places_.size()) {
            return;  // each has its own
        }
        for (std::size_t i = 0; i < places_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (places_[i].domain == places_[j].domain) {
                    lower_least(places_[i], j);
                    lower_least(places_[j], i);
                }
            }
        }
    }
    void lower_least(cost_place& of, std::size_t other) const noexcept {
        if (is_usable(other)) {
            of.least = std::min(of.least, places_[other].least);
        }
    }
    /// When a task of the given cost ends: after all work of the domain, and not before it would by itself.
    [[nodiscard]] double end_at_cost(std::size_t i, double cost) const noexcept {
        const cost_place& at = places_[i];
        return std::max(at.wait + cost, at.alone * cost) + at.transfer;
    }
    [[nodiscard]] bool is_in_time(std::size_t i, double cost) const noexcept {
        return end_at_cost(i, cost) <= most_delay * earliest_;
    }
    /// The end by which resources are compared, if the task has the given cost. Work before the task counts
    /// more than once, as slower hardware is idle meanwhile; and tasks that are outstanding have to wait as
    /// much longer as the task costs more than elsewhere in the domain.
    [[nodiscard]] double score_at_cost(std::size_t i, double cost) const noexcept {
        const cost_place& at = places_[i];
        return std::max(wait_weight * at.wait + cost, at.alone * cost) + at.transfer +
               others_ * std::max(cost - at.least, 0.0);
    }
    [[nodiscard]] double score(std::size_t i) const noexcept {
        return score_at_cost(i, places_[i].predicted.cost);
    }
    [[nodiscard]] double lost(std::size_t i) const noexcept {
        return std::max(score(i) - score(*best_), 0.0);
    }
    /// What a measurement of `i` loses. That a resource is not left untried for a prediction from afar, its
    /// cost is taken to be lower by what its logarithm is uncertain by more than `usual_error`.
    [[nodiscard]] double loss(std::size_t i) const noexcept {
        const cost_prediction& predicted = places_[i].predicted;
        const double cost =
            of_.cells[i].known.empty()
                ? predicted.cost * std::exp(-std::max(predicted.error - usual_error, 0.0))
                : predicted.cost;
        return (std::max(score_at_cost(i, cost) - score(*best_), 0.0) + delay(i, cost) + asking_) *
               runs_in_a_row_;
    }
    /// What others lose while the task takes more of their hardware than it would elsewhere, if they are spread
    /// evenly over the domains. It counts for a decision, and is not charged to the budget of first runs.
    [[nodiscard]] double delay(std::size_t i, double cost) const noexcept {
        return delayed_ * std::max(cost - places_[i].least, 0.0);
    }
    [[nodiscard]] std::chrono::nanoseconds predicted(std::size_t i) const noexcept {
        return places_[i].predicted.is_known() ? places_[i].predicted.time()
                                               : std::chrono::nanoseconds{};
    }
    [[nodiscard]] bool may_be_tried(std::size_t i) const noexcept {
        return i != *best_ && of_.cells[i].outstanding == 0 && may_run(i);
    }
    [[nodiscard]] cost_decision decide_frozen() const {
        if (!best_ && !settings_.default_resource) {
            char key[40];
            std::snprintf(key, sizeof key, "%016" PRIx64 "-%016" PRIx64, of_.key.callable,
                          of_.key.sizes);
            throw unknown_kind{key};
        }
        const std::size_t index = best_ ? *best_ : *settings_.default_resource;
        return {index, predicted(index), false};
    }
    [[nodiscard]] cost_decision measure(std::size_t i) noexcept {
        of_.measured = i;
        of_.runs_left = runs_in_a_row_ - 1;
        return {i, predicted(i), true};
    }

    /// The time of the task by the device's speed alone; infinite if that was not measured.
    [[nodiscard]] double usual_time(std::size_t i) const noexcept {
        return places_[i].speed.time_for(of_.sum);
    }
    /// While no cost is known: an idle resource that has warmed up, or else the one with the fewest runs, and
    /// among these the shortest `usual_time`; one that fails only if all do.
    [[nodiscard]] std::size_t first_to_try() const noexcept {
        constexpr double after_all_others = 1e9;
        constexpr double begun_weight = 4;  // a run begun counts as so many outstanding tasks
        const auto& resources = of_.callable->resources;
        std::size_t found = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < resources.size(); ++i) {
            const cost_cell& at = of_.cells[i];
            const bool is_warm = resources[i].finished > 0 && at.outstanding == 0;
            const double runs =
                is_warm ? 0 : 1 + begun_weight * static_cast<double>(resources[i].begun);
            const double rank = (may_run(i) ? 0 : after_all_others * at.failures) + runs +
                                static_cast<double>(at.outstanding);
            if (rank < least || (rank == least && usual_time(i) < usual_time(found))) {
                least = rank;
                found = i;
            }
        }
        return found;
    }

    /// An unmeasured resource whose trial is within the budget; of several, the one with the shortest
    /// `usual_time`.
    [[nodiscard]] std::optional<std::size_t> worth_trying() const noexcept {
        const cost_callable& all = *of_.callable;
        const double best = time_alone(*best_);
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!is_untried(i) || (found && usual_time(i) >= usual_time(*found))) {
                continue;
            }
            const double cost = cost_if_tried(i);
            const double lost = score_at_cost(i, cost) - score(*best_) + delay(i, cost);
            if (lost < 0 || all.invested + lost <= invested_share * (all.worked + best)) {
                found = i;
            }
        }
        return found;
    }

    /// The resource that is best if its cost is as low as its uncertainty allows; empty if what is taken for
    /// the best may be as low as that.
    [[nodiscard]] std::optional<std::size_t> might_be_best() const noexcept {
        const double z = std::sqrt(2 * exploration * std::log(2.0 + static_cast<double>(of_.runs)));
        std::optional<std::size_t> found;
        double least = score(*best_);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!places_[i].predicted.is_known() || !may_be_tried(i)) {
                continue;
            }
            const evidence& known = of_.cells[i].known;
            const bool is_guess = known.empty();
            const double errors = (is_guess ? optimism_of_guesses : z) * places_[i].predicted.error;
            const bool may_have_fallen = !is_guess && known.may_have_fallen();
            // exp(-x) is no less than 1 - x, which saves most exponentials.
            if (!may_have_fallen &&
                score_at_cost(i, places_[i].predicted.cost * std::max(1 - errors, 0.0)) >= least) {
                continue;
            }
            double lowest = places_[i].predicted.cost * std::exp(-errors);
            if (may_have_fallen) {
                lowest = std::min(lowest, known.mean_if_fallen());
            }
            if (score_at_cost(i, lowest) < least && is_in_time(i, lowest) &&
                is_affordable(i, is_guess)) {
                least = score_at_cost(i, lowest);
                found = i;
            }
        }
        const cost_prediction& best = places_[*best_].predicted;
        return found && least < score_at_cost(*best_, best.cost * std::exp(-z * best.error))
                   ? found
                   : std::nullopt;
    }
    [[nodiscard]] bool is_affordable(std::size_t i, bool is_guess) const noexcept {
        const cost_callable& all = *of_.callable;
        return of_.tried + loss(i) <= tried_share * of_.worked ||
               (is_guess && all.invested + loss(i) <= invested_share * all.worked);
    }

    /// A resource whose share of looks has been saved up since it was last looked at.
    [[nodiscard]] std::optional<std::size_t> due_for_a_look() const noexcept {
        if (places_.size() < 2) {
            return std::nullopt;
        }
        const double best = time_alone(*best_);
        const double saved_each_run = best * looked_share / static_cast<double>(places_.size() - 1);
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!places_[i].predicted.is_known() || !may_be_tried(i)) {
                continue;
            }
            const auto runs = static_cast<double>(of_.runs - of_.cells[i].looked_at);
            if (runs * saved_each_run > std::max(loss(i), least_look * best * runs_in_a_row_)) {
                return i;
            }
        }
        return std::nullopt;
    }

    cost_kind& of_;
    std::span<cost_place> places_;
    double others_;
    const learning_settings& settings_;
    std::uint32_t runs_in_a_row_;
    double asking_ = 0;
    double delayed_ = 0;  // tasks that this one keeps waiting, for each nanosecond of the hardware
    double earliest_ = std::numeric_limits<double>::infinity();
    std::optional<std::size_t> best_;
};

}  // namespace pointsman::detail
