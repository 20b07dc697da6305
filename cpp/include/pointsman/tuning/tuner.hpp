// SPDX-License-Identifier: Apache-2.0
// The state machine that learns from timings which resource is best for one kind of task.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pointsman/tuning/cost_estimate.hpp"
#include "pointsman/tuning/detail/exploration_budget.hpp"
#include "pointsman/tuning/resample_time.hpp"

namespace pointsman {

/// The settings of a `tuner`. A `time_span` alone sets `resample_time`.
struct tuner_settings {
    std::chrono::nanoseconds resample_time{};  ///< zero: the clock never triggers new measurements
    /// How many runs in a row each resource gets in a trial; zero for no trials. Trials follow the
    /// first choice and recur as work goes on: for users who prefer the best resource to the earliest
    /// finish.
    std::uint32_t trial_runs = 0;
    std::chrono::nanoseconds always_timed =
        std::chrono::microseconds{10};  ///< see `sampling_period`

    constexpr tuner_settings() noexcept = default;
    /// **Throws**: as `to_resample_time`.
    template <time_span Time>
    constexpr tuner_settings(Time resample_time_, std::uint32_t trial_runs_ = 0)
        : resample_time{to_resample_time(resample_time_)}, trial_runs{trial_runs_} {}
};

/// Chooses among `size` resources for one kind of task. A pure object: it owns no thread and no
/// clock, and is told the time.
///
/// While nothing is known, resources are taken in rotation until each has two finished runs. The first
/// run of a resource is warm-up and enters no statistic, nor do runs that began before it finished.
/// Runs are counted when they finish, so a failed run uses nothing up; after repeated failures, a
/// resource is retried less and less often. If a first timing is a hundred times that of the warm-up
/// before it, it is measured once more. Tasks that arrive while measurements are still under way are
/// spread by the number of outstanding tasks. Afterwards the resource with the lowest estimate is used
/// until another one is better by a tenth.
///
/// When the estimate of the resource in use has moved beyond its noise, the other resources are run
/// once more, and a few more times if that run was a surprise, as far as an `exploration_budget` of 2 %
/// of all working time allows.
///
/// With `trial_runs`, each resource gets that many runs instead, all but the first in a row, as soon as
/// the budget has room for them: after the first choice, after a drift, each time the work has doubled,
/// and once per `longest_between_trials` of work. The runs follow each other because a run may be slow
/// only because another resource was used before it: its threads are asleep, its data is in other
/// caches. A resource that had its trial is used if its estimate is the lowest, by however little.
///
/// **Thread safety**: none; the caller locks.
class tuner {
  public:
    using duration = std::chrono::nanoseconds;

    explicit tuner(std::size_t size, tuner_settings settings = {})
        : runs_(size), settings_{settings}, missing_{size} {}

    /// Returns the resource for the next task: the one that is `due`, otherwise the best. `now` is any
    /// monotonic time; it only matters with resampling.
    [[nodiscard]] std::size_t choose(duration now) {
        const auto measured = due(now);
        const std::size_t index = measured ? *measured : *best_;
        reserve(index);
        return index;
    }

    /// Returns the resource that must run the next task because a measurement is due; empty if the
    /// caller may choose freely. Must be followed by `reserve`.
    [[nodiscard]] std::optional<std::size_t> due(duration now) {
        ++decisions_;
        if (resamples() && best_ && now - measured_at_ >= settings_.resample_time) {
            start_over(now);
        }
        return best_ ? next_to_explore() : next_to_measure();
    }

    /// Records that one more task goes to `index`.
    void reserve(std::size_t index) noexcept {
        run& r = runs_[index];
        ++r.outstanding;
        r.cold += r.finished == 0 ? 1 : 0;
    }

    /// Records that a task on `index` succeeded after `time`.
    void add(std::size_t index, duration time, sample_quality quality, duration now) {
        run& r = runs_[index];
        r.failures = 0;
        r.finished = warm_up_runs;
        if (r.cold > 0) {
            --r.cold;
            r.before = time;
        } else if (!is_doubtful(r, time)) {
            account(index, time);
            const bool first = r.cost.empty();
            r.cost.add(time, quality);
            missing_ -= first ? 1 : 0;
        }
        settle(index, now);
        notice_drift(index);
    }

    /// Records that a task on `index` failed. A resource that fails repeatedly loses its estimate.
    void fail(std::size_t index) {
        run& r = runs_[index];
        r.failures = std::min(r.failures + 1, most_failures);
        r.retry_at = decisions_ + (std::uint64_t{1} << r.failures);
        if (r.failures == too_many_failures) {
            missing_ += r.cost.empty() ? 0 : 1;
            r.cost.clear();
            r.wanted = 0;
            if (best_ == index) {
                best_.reset();
                choose_best();
            }
        }
    }

    /// Records that a task on `index` has completed, with or without success; called after `add` or
    /// `fail`.
    void release(std::size_t index) noexcept {
        run& r = runs_[index];
        --r.outstanding;
        r.cold = std::min(r.cold, r.outstanding);
    }

    /// The resource in use once all resources are measured.
    [[nodiscard]] std::optional<std::size_t> best() const noexcept { return best_; }
    /// When the clock will trigger new measurements; `duration::max()` without a `resample_time`.
    [[nodiscard]] duration measures_again_at() const noexcept {
        return resamples() ? measured_at_ + settings_.resample_time : duration::max();
    }
    /// Returns true if the best resource may be used without asking again: after a failure the next
    /// task must be timed, so that failures in a row can be told from scattered ones.
    [[nodiscard]] bool is_settled() const noexcept {
        return best_.has_value() && runs_[*best_].failures == 0;
    }
    /// How many tasks may run on `best()` per timed task. Tasks that take `always_timed` or longer are
    /// all timed, since timing costs little in comparison; of the shortest tasks, one in
    /// `longest_period` is timed. While other resources are being measured, every task is.
    [[nodiscard]] std::uint32_t sampling_period() const noexcept {
        const auto cost = best_ ? estimate(*best_) : std::nullopt;
        if (!cost || is_exploring()) {
            return 1;
        }
        const auto tasks = settings_.always_timed / std::max(*cost, duration{1});
        return static_cast<std::uint32_t>(std::clamp<duration::rep>(tasks, 1, longest_period));
    }
    /// Expected time of the task on `index`; empty if unknown.
    [[nodiscard]] std::optional<duration> estimate(std::size_t index) const noexcept {
        return runs_[index].cost.value();
    }

    static constexpr std::uint32_t longest_period = 256;
    static constexpr duration longest_between_trials = std::chrono::seconds{1};

  private:
    static constexpr std::uint32_t warm_up_runs = 1;
    static constexpr std::uint32_t needed_runs = 2;
    /// A first timing longer than this many times the run before it is measured once more.
    static constexpr int doubtful_factor = 100;
    static constexpr std::uint32_t too_many_failures = 3;
    static constexpr std::uint32_t most_failures = 16;
    /// Together with the first run, enough runs to move the estimate.
    static constexpr std::uint32_t surprise_runs = 4;

    struct run {
        cost_estimate cost;
        std::uint32_t finished = 0;
        std::uint32_t outstanding = 0;
        std::uint32_t cold = 0;  // of these, chosen before any run had finished
        duration before{};       // of warm-up, or the estimate before it was cleared
        bool doubted = false;
        std::uint32_t failures = 0;
        std::uint64_t retry_at = 0;
        std::uint32_t wanted = 0;   // runs needed to learn whether the time has changed
        std::uint32_t doubles = 0;  // additional runs if the next one is a surprise
        bool tried = false;         // the last run of its trial has just finished
    };

    [[nodiscard]] bool is_due(const run& r) const noexcept {
        return r.cost.empty() && r.finished + r.outstanding < needed_runs &&
               (r.failures == 0 || decisions_ >= r.retry_at);
    }

    /// A first timing decides alone, so it must not be an outlier.
    [[nodiscard]] static bool is_doubtful(run& r, duration time) noexcept {
        return r.cost.empty() && r.before > duration::zero() && time > doubtful_factor * r.before &&
               !std::exchange(r.doubted, true);
    }

    /// Resources that lack runs come first, in rotation; otherwise the one with the fewest outstanding
    /// tasks.
    [[nodiscard]] std::size_t next_to_measure() {
        std::optional<std::size_t> found;
        auto rank = [this](std::size_t i) {
            const run& r = runs_[i];
            return is_due(r)
                       ? std::uint64_t{r.finished} + r.outstanding
                       : (std::uint64_t{r.failures != 0} << 32U) + needed_runs + r.outstanding;
        };
        for (std::size_t n = 0; n < runs_.size(); ++n) {
            const std::size_t index = (turn_ + n) % runs_.size();
            if (!found || rank(index) < rank(*found)) {
                found = index;
            }
        }
        turn_ = (*found + 1) % runs_.size();
        return *found;
    }

    [[nodiscard]] std::optional<std::size_t> next_to_explore() {
        if (const auto untried = overdue()) {
            return untried;
        }
        if (settings_.trial_runs > 0 && budget_.worked() >= trial_at_ && !is_exploring()) {
            begin_trials();
        }
        for (std::size_t i = 0; i < runs_.size() && exploring_; ++i) {
            if (is_affordable(runs_[i]) && runs_[i].outstanding == 0) {
                return i;
            }
        }
        return std::nullopt;
    }
    /// Returns true if all runs that `r` still needs may follow one another. The first run of a trial
    /// only needs to be affordable by itself: it shows what the others would cost.
    [[nodiscard]] bool is_affordable(const run& r) const {
        const std::uint32_t at_once = r.wanted == settings_.trial_runs ? 1 : r.wanted;
        return r.wanted > 0 && budget_.allows((*r.cost.value() - in_use()) * at_once);
    }
    [[nodiscard]] bool is_exploring() const {
        return exploring_ &&
               std::ranges::any_of(runs_, [this](const run& r) { return is_affordable(r); });
    }
    /// The resource in use also gets a trial: it may soon be replaced.
    void begin_trials() noexcept {
        for (run& r : runs_) {
            r.wanted = r.cost.empty() ? 0 : settings_.trial_runs;
        }
        exploring_ = true;
        trial_at_ = budget_.worked() + std::min(budget_.worked(), longest_between_trials);
    }
    [[nodiscard]] bool resamples() const noexcept {
        return settings_.resample_time > duration::zero();
    }
    [[nodiscard]] duration in_use() const { return *estimate(*best_); }

    /// Books a timing before it enters the estimate.
    void account(std::size_t index, duration time) {
        if (!best_) {
            return;
        }
        budget_.earn(time * sampling_period());
        run& r = runs_[index];
        if (r.wanted == 0) {
            return;
        }
        budget_.spend(time - in_use());
        --r.wanted;
        const auto expected = estimate(index).value_or(time);
        if (std::chrono::abs(time - expected) > expected / 2) {
            r.wanted += std::exchange(r.doubles, 0);
        }
        r.tried = r.wanted == 0 && settings_.trial_runs > 0;
        exploring_ = std::ranges::any_of(runs_, [](const run& each) { return each.wanted > 0; });
    }

    /// Compares the estimate of the resource in use with its value at the last comparison.
    void notice_drift(std::size_t index) {
        if (!best_) {
            return;
        }
        if (reference_of_ != *best_) {
            reference_of_ = *best_;
            reference_ = in_use();
        }
        const auto moved = std::chrono::abs(in_use() - reference_);
        if (index != *best_ || moved <= reference_ / 4 ||
            moved <= 3 * runs_[*best_].cost.spread()) {
            return;
        }
        reference_ = in_use();
        if (settings_.trial_runs > 0) {
            begin_trials();
            return;
        }
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            if (i != *best_ && estimate(i)) {
                runs_[i].wanted = 1;
                runs_[i].doubles = surprise_runs;
                exploring_ = true;
            }
        }
    }

    /// Returns a resource that lost its estimate through failures and is due for a retry.
    [[nodiscard]] std::optional<std::size_t> overdue() const {
        for (std::size_t i = 0; i < runs_.size() && missing_ > 0; ++i) {
            if (runs_[i].cost.empty() && runs_[i].outstanding == 0 &&
                decisions_ >= runs_[i].retry_at) {
                return i;
            }
        }
        return std::nullopt;
    }

    void settle(std::size_t index, duration now) {
        if (!best_) {
            measured_at_ = now;
            choose_best();
            return;
        }
        const bool tried = std::exchange(runs_[index].tried, false);
        if (index != *best_) {
            compared_ = std::min(compared_, in_use());
            if (tried && *estimate(index) < in_use()) {
                use(index);
            } else {
                prefer(index);
            }
        } else if (in_use() > compared_) {  // otherwise no other has become better since
            compared_ = in_use();
            prefer(lowest());
        }
    }

    /// Near ties do not replace the resource in use.
    void prefer(std::size_t other) {
        if (estimate(other) && *estimate(other) * 10 < in_use() * 9) {
            use(other);
        }
    }
    void use(std::size_t index) {
        best_ = index;
        compared_ = in_use();
    }

    /// Sets the best resource once each has an estimate or has failed too often to get one.
    void choose_best() {
        const bool all_known = std::ranges::all_of(
            runs_, [](const run& r) { return !r.cost.empty() || r.failures >= too_many_failures; });
        if (all_known && missing_ < runs_.size()) {
            use(lowest());
        }
    }

    [[nodiscard]] std::size_t lowest() const {
        std::size_t found = 0;
        for (std::size_t i = 1; i < runs_.size(); ++i) {
            const auto here = estimate(i);
            const auto least = estimate(found);
            if (here && (!least || *here < *least)) {
                found = i;
            }
        }
        return found;
    }

    void start_over(duration now) {
        for (run& r : runs_) {
            r.before = r.cost.value().value_or(r.before);
            r.doubted = false;
            r.cost.clear();
            r.failures = 0;
            r.wanted = 0;
        }
        missing_ = runs_.size();
        best_.reset();
        reference_of_.reset();
        trial_at_ = {};
        measured_at_ = now;
    }

    std::vector<run> runs_;
    tuner_settings settings_;
    std::size_t missing_;  // resources without an estimate
    duration compared_{};  // estimate of the best resource when all others were compared with it
    duration measured_at_{};
    std::optional<std::size_t> best_;
    std::optional<std::size_t> reference_of_;
    duration reference_{};
    exploration_budget budget_;
    duration trial_at_{};  // in work as the budget counts it
    bool exploring_ = false;
    std::size_t turn_ = 0;
    std::uint64_t decisions_ = 0;
};

}  // namespace pointsman
