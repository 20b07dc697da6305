// SPDX-License-Identifier: Apache-2.0
// What kinds of tasks cost on each resource, learnt across sizes, and which resource to try next.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/tuning/detail/cost_decider.hpp"
#include "pointsman/tuning/detail/cost_kind.hpp"
#include "pointsman/tuning/detail/cost_prediction.hpp"
#include "pointsman/tuning/device_speed.hpp"
#include "pointsman/tuning/divided_time.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/learning_settings.hpp"
#include "pointsman/tuning/measured_record.hpp"
#include "pointsman/tuning/model_record.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman {

/// Predicts the cost of each kind of task (a callable with arguments of certain size classes) on each
/// resource, and says where the next one should run: as a rule where it is predicted to end first, now and
/// then where something can be learnt. A pure object: it owns no thread and no clock.
///
/// - The first run of a callable on a resource is warm-up and enters no statistic.
/// - A size class without timings is predicted from its neighbours: by the ratio of two resources there, or
///   along a line through the logarithms. A larger size is expected to take no less.
/// - An unmeasured resource is tried while the work lost by trying stays below all work of the callable so far,
///   and whenever a task is expected to end earlier there. A measured one that might be the best, within its
///   uncertainty, is tried for 10 % of the work of the kind.
/// - Each other resource is looked at again for a share of 0.4 % of the work, the closer it is, the sooner;
///   at once after a timing that suggests that it has become the better one.
/// - A first timing that is four times what was expected is taken once more.
/// - Of tasks shorter than `learning_settings::always_timed` few need to be timed: `kind::settled` says how
///   many may go where the last one went without asking the model.
///
/// **Thread safety**: none; the caller locks. What `kind` says of its settled choice can be read without.
/// **Cost**: in proportion to the resources; and to the sizes of the callable while one has no timing of this
/// size. No allocation but in `find`.
class cost_model {
  public:
    using duration = std::chrono::nanoseconds;
    /// What is known of one kind of task, as long as the term lasts in which the kind was found.
    using kind = detail::cost_kind;
    using decision = detail::cost_decision;

    static constexpr std::size_t default_capacity = 1024;
    /// Enough to be certain within a few per cent, and little against the timings of a new process.
    static constexpr std::uint32_t usual_record_weight = 16;

    /// For the resources of `domains`. **Throws**: `invalid_option` for a default resource that the model lacks or
    /// has no use for, and for a `resample_time` if it is frozen.
    explicit cost_model(std::span<const domain> domains, learning_settings settings = {},
                        std::size_t capacity = default_capacity)
        : settings_{settings}, capacity_{std::min<std::size_t>(capacity, most_kinds)} {
        const divided_time time{domains};
        for (std::size_t i = 0; i < time.size(); ++i) {
            places_.push_back({.alone = time.time_alone(i), .domain = time.domain_of(i)});
        }
        domains_ = time.domains();
        check_settings();
    }
    /// For `size` resources that share no hardware.
    explicit cost_model(std::size_t size, learning_settings settings = {},
                        std::size_t capacity = default_capacity)
        : cost_model{std::vector<domain>(size), settings, capacity} {}

    /// The kind of task that `key` identifies, a new one where there is none. Beyond the capacity it takes
    /// the place of the one that was used least recently.
    /// **Throws**: `std::bad_alloc`; the model is then as before, but for the kind that gave way.
    [[nodiscard]] kind& find(const task_key& key);

    /// The kind of task that `key` identifies; null where there is none. Does not count as a use.
    [[nodiscard]] const kind* seen(const task_key& key) const noexcept {
        const auto found = by_key_.find(key);
        return found == by_key_.end() ? nullptr : kinds_[*found->second].get();
    }
    /// The kinds with the most runs, at most `most`, in falling order.
    [[nodiscard]] std::vector<const kind*> most_used(std::size_t most) const;

    /// The kind with this number, if its term lasts; otherwise null.
    [[nodiscard]] kind* known(std::uint16_t number, std::uint16_t term) noexcept {
        kind& found = *kinds_[number];
        return found.term() == term && found.callable != nullptr ? &found : nullptr;
    }

    /// The resource for the next task of a kind. `waits` has for each domain the work outstanding, in
    /// nanoseconds; without it, where the task takes the least time, however long it waits. `outstanding` is how
    /// many tasks there are in all. What was compared goes to `record`,
    /// unless that is null. `transfers` has for each resource the nanoseconds until the task's arguments are
    /// there; none beyond its end. To be followed by `reserve`. **Throws**: `unknown_kind` if the model is frozen.
    [[nodiscard]] decision choose(kind& of, std::span<const double> waits,
                                  std::size_t outstanding = 0,
                                  detail::measured_record* record = nullptr,
                                  std::span<const double> transfers = {});

    /// One more task of the kind goes to `index`.
    static void reserve(kind& of, std::size_t index) noexcept;
    /// A task on `index` ended well; it cost `cost`, or at most that. Upper bounds count while nothing better
    /// is known of the resource.
    void learn(kind& of, std::size_t index, duration cost, bool is_exact = true) noexcept;
    /// A task on `index` failed. After failures in a row the resource is tried ever less often.
    void fail(kind& of, std::size_t index) const noexcept;
    /// A task on `index` is complete, or was never run; after `learn` or `fail`.
    static void release(kind& of, std::size_t index) noexcept;

    /// Expected time of a task that runs alone on `index`; empty while the kind has no timing there.
    [[nodiscard]] std::optional<duration> estimate(const kind& of, std::size_t index) const;
    /// As `estimate`, but where the kind has no timing on `index` predicted from other sizes of the callable;
    /// empty without those.
    [[nodiscard]] std::optional<duration> prediction(const kind& of, std::size_t index) const;
    /// Forgets the timings of a kind once the `resample_time` has passed since it was made or they were
    /// forgotten last; nothing without a `resample_time`. Returns when that is to happen next.
    duration forget_old(kind& of, duration now) noexcept;

    /// Takes over what `before`, a model of other resources, has learnt. `origins` has for each resource of this
    /// model the index of the same resource there, or nothing for a new one.
    /// **Throws**: `std::bad_alloc`; some kinds then have been taken over.
    void inherit(const cost_model& before, std::span<const std::optional<std::size_t>> origins);

    /// What is known of each kind on each resource; nothing of a resource without timings.
    [[nodiscard]] std::vector<model_record> records() const;
    /// Takes over records of an earlier model, in which each counts as at most `weight` timings. A kind and
    /// resource that has timings here keeps them. What was taken over is not measured again; each callable
    /// warms up in this process all the same.
    /// **Throws**: `invalid_option` for a weight of 0, a resource that the model lacks, or timings that are
    /// not finite or not positive: the model is then as before. `std::bad_alloc`; some records then have
    /// been taken over.
    void take(std::span<const model_record> records, std::uint32_t weight = usual_record_weight);

    /// Replaces all pins: tasks of these kinds run on these resources, and kinds that are no longer pinned where
    /// they are best.
    /// **Throws**: `invalid_option` for a resource that the model lacks; `std::bad_alloc`. The pins are then as
    /// before.
    void pin(std::span<const model_pin> pins);

    /// Sets the speeds of resources. For a kind without timings the resources are tried in the order of the time
    /// that it takes by their speeds; those without a speed last.
    /// **Throws**: `invalid_option` for a resource that the model lacks, or a speed that is not positive.
    void expect(std::span<const model_speed> speeds);

    [[nodiscard]] bool is_frozen() const noexcept {
        return settings_.mode == learning_mode::frozen;
    }
    /// Returns false if no task of the kind goes anywhere to be measured.
    [[nodiscard]] bool may_measure(const kind& of) const noexcept {
        return !is_frozen() && of.pinned() == kind::nowhere;
    }
    /// How many resources there are.
    [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
    /// How many kinds are known.
    [[nodiscard]] std::size_t kinds() const noexcept { return by_key_.size(); }
    [[nodiscard]] const learning_settings& settings() const noexcept { return settings_; }

  private:
    static constexpr std::size_t most_kinds = 65'536;
    using by_use = std::list<std::uint16_t>;

    [[nodiscard]] kind& idle_kind();
    void check(const model_record& record, std::uint32_t weight) const;
    void check_settings() const;
    void check_index(std::size_t index, const char* of) const;
    /// The resource to which `key` is pinned, or else `kind::nowhere`.
    [[nodiscard]] std::uint32_t pinned(const task_key& key) const noexcept {
        const auto found = pins_.find(key);
        return found == pins_.end() ? kind::nowhere : found->second;
    }
    void settle(kind& of, const decision& chosen, const detail::cost_decider& decider) noexcept;
    [[nodiscard]] static bool is_doubtful(const kind& of, std::size_t index, double time,
                                          const detail::cost_prediction& expected) noexcept;
    [[nodiscard]] static bool admits(detail::cost_cell& at, bool is_exact) noexcept;

    learning_settings settings_;
    std::size_t capacity_;
    std::vector<detail::cost_place> places_;  // by resource; their waits are set by `choose`
    std::size_t domains_ = 0;
    std::unordered_map<task_key, detail::cost_callable, task_key_hash> callables_;
    std::vector<std::unique_ptr<kind>> kinds_;  // by number
    by_use by_use_;                             // numbers, the most recently used first
    std::unordered_map<task_key, by_use::iterator, task_key_hash> by_key_;
    std::unordered_map<task_key, std::uint32_t, task_key_hash> pins_;
};

inline cost_model::kind& cost_model::find(const task_key& key) {
    if (const auto known = by_key_.find(key); known != by_key_.end()) {
        by_use_.splice(by_use_.begin(), by_use_, known->second);
        return *kinds_[by_use_.front()];
    }
    kind& made = idle_kind();  // the last in `by_use_`
    const auto at = by_key_.emplace(key, std::prev(by_use_.end())).first;
    try {
        const auto parts = detail::key_parts::of(key);
        detail::cost_callable& of = callables_[parts.apart_from_sizes];
        of.resources.resize(size());
        made.serve(key, parts, of);
        made.pin(pinned(key));
    } catch (...) {
        by_key_.erase(at);
        throw;
    }
    by_use_.splice(by_use_.begin(), by_use_, at->second);
    return made;
}

/// Returns a kind that serves no key, the last in `by_use_`.
inline cost_model::kind& cost_model::idle_kind() {
    if (!by_use_.empty() && kinds_[by_use_.back()]->callable == nullptr) {
        return *kinds_[by_use_.back()];
    }
    if (kinds_.size() < capacity_) {
        const auto number = static_cast<std::uint16_t>(kinds_.size());
        by_use last{number};
        kinds_.push_back(std::make_unique<kind>(size(), number));
        by_use_.splice(by_use_.end(), last);
        return *kinds_.back();
    }
    while (kinds_[by_use_.back()]->was_touched()) {
        by_use_.splice(by_use_.begin(), by_use_, std::prev(by_use_.end()));
    }
    kind& oldest = *kinds_[by_use_.back()];
    const task_key key = oldest.key;
    by_key_.erase(key);
    oldest.end_term();
    const auto of = callables_.find(detail::key_parts::of(key).apart_from_sizes);
    if (of->second.by_size.empty()) {
        callables_.erase(of);
    }
    return oldest;
}

inline std::vector<const cost_model::kind*> cost_model::most_used(std::size_t most) const {
    std::vector<const kind*> found;
    for (const auto& each : kinds_) {
        if (each->callable != nullptr) {
            found.push_back(each.get());
        }
    }
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
    std::ranges::partial_sort(found, last, std::ranges::greater{},
                              [](const kind* each) { return each->runs; });
    found.erase(last, found.end());
    return found;
}

inline cost_model::decision cost_model::choose(kind& of, std::span<const double> waits,
                                               std::size_t outstanding,
                                               detail::measured_record* record,
                                               std::span<const double> transfers) {
    of.runs += of.period();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i].wait = waits.empty() ? 0 : waits[places_[i].domain];
        places_[i].transfer = i < transfers.size() ? transfers[i] : 0;
    }
    const double others = static_cast<double>(outstanding) / static_cast<double>(domains_);
    detail::cost_decider decider{of, places_, others, !waits.empty(), settings_};
    const decision chosen = decider.decide();
    of.best_cost = decider.best() ? decider.time_alone(*decider.best()) : 0;
    if (transfers.empty()) {  // a choice for the arguments of one task does not stand for others
        settle(of, chosen, decider);
    }
    if (record != nullptr) {
        decider.record(chosen, *record);
    }
    return chosen;
}

/// Says how many short tasks need not ask. All ask while something is being measured, or a resource has
/// failed, or all that is known was learnt of other sizes.
inline void cost_model::settle(kind& of, const decision& chosen,
                               const detail::cost_decider& decider) noexcept {
    if (chosen.is_measurement) {
        of.settle(chosen.index, 0);
        return;
    }
    const auto always = static_cast<double>(settings_.always_timed.count());
    const bool is_certain =
        of.cells[chosen.index].own.is_known() &&
        std::ranges::none_of(of.cells, [](auto& each) { return each.failures > 0; });
    constexpr double work_for_each = 4;  // in units of `always_timed`
    const double cost = decider.time_alone(chosen.index);
    const auto period = is_certain && cost < always
                            ? static_cast<std::uint32_t>(std::min(work_for_each * always / cost,
                                                                  double{kind::longest_period}))
                            : 1U;
    for (std::size_t i = 0; i < size(); ++i) {
        const bool is_certain_of_it = i == chosen.index || of.cells[i].own.is_known();
        const bool is_candidate = i == chosen.index || of.pinned() == kind::nowhere;
        const bool may_be_tried = may_measure(of) && decider.best();
        of.set_settled_cost(
            i, is_candidate && is_certain_of_it && decider.may_run(i) ? places_[i].predicted.cost
               : may_be_tried && decider.is_untried(i)                ? -decider.cost_if_tried(i)
                                                       : std::numeric_limits<double>::infinity());
    }
    of.settle(chosen.index, period);
}

inline void cost_model::reserve(kind& of, std::size_t index) noexcept {
    ++of.cells[index].outstanding;
    ++of.outstanding;
    ++of.callable->outstanding;
    ++of.callable->resources[index].begun;
    ++of.callable->resources[index].outstanding;
}

inline void cost_model::release(kind& of, std::size_t index) noexcept {
    --of.cells[index].outstanding;
    --of.outstanding;
    --of.callable->outstanding;
    --of.callable->resources[index].outstanding;
}

inline void cost_model::fail(kind& of, std::size_t index) const noexcept {
    constexpr std::uint32_t most = 16;  // the resource is tried again after 2^16 runs at the latest
    detail::cost_cell& at = of.cells[index];
    ++of.callable->resources[index].finished;
    ++of.callable->finished;
    if (is_frozen()) {
        return;
    }
    at.failures = std::min(at.failures + 1, most);
    at.retry_at = of.runs + (std::uint64_t{1} << at.failures);
    of.runs_left = 0;
    of.settle(index, 0);
}

inline void cost_model::learn(kind& of, std::size_t index, duration cost, bool is_exact) noexcept {
    detail::cost_callable& all = *of.callable;
    detail::cost_cell& at = of.cells[index];
    const double time = std::max(static_cast<double>(cost.count()), 1.0);
    const double taken = time * places_[index].alone;
    of.histories[index].add(of.runs, taken);
    if (is_frozen()) {
        ++all.finished;
        return;
    }
    const double best = of.best_cost > 0 ? std::min(of.best_cost, taken) : taken;
    all.worked += best * of.period();
    of.worked += best * of.period();
    if (at.known.empty()) {
        all.invested += taken - best;
    }
    at.looked_at = of.runs;
    at.failures = 0;
    ++all.finished;
    const bool follows_another =
        settings_.runs_in_a_row > 1 && std::exchange(of.last_index, index) != index;
    detail::warm_up& warm = all.resources[index];
    if (++warm.finished == 1) {
        warm.time = time;
        warm.size = of.size;
        return;
    }
    if (follows_another) {
        return;
    }
    if (at.known.empty() && !at.is_doubted) {
        at.is_doubted = is_doubtful(of, index, time, detail::predict_cost(of, index));
        if (at.is_doubted) {
            return;
        }
    }
    if (!admits(at, is_exact)) {
        return;
    }
    const double squares = at.known.squares();
    const bool has_changed = at.known.add(time, all.variance());
    at.predict_by_own();
    if (has_changed) {
        of.settle(index, 0);
    } else if (at.known.count() > 1) {
        all.pool(std::max(at.known.squares() - squares, 0.0));
    }
}

/// Returns true if a first timing is far above what was expected, or above the warm-up at the same size.
inline bool cost_model::is_doubtful(const kind& of, std::size_t index, double time,
                                    const detail::cost_prediction& expected) noexcept {
    constexpr double far = 4;
    const detail::warm_up& warm = of.callable->resources[index];
    const double most = expected.is_known()    ? std::exp(expected.value + 2 * expected.error)
                        : warm.size == of.size ? warm.time
                                               : std::numeric_limits<double>::infinity();
    return time > far * most;
}

/// Returns true if a timing counts. An exact one drops upper bounds; many upper bounds in a row, without an
/// exact time, drop the exact times.
inline bool cost_model::admits(detail::cost_cell& at, bool is_exact) noexcept {
    constexpr std::uint32_t many = 9;
    at.bounds = is_exact ? 0 : std::min(at.bounds + 1, many);
    if (is_exact != at.is_exact && !at.known.empty()) {
        if (!is_exact && at.bounds < many) {
            return false;
        }
        at.known = {};
    }
    at.is_exact = is_exact;
    return true;
}

inline std::optional<cost_model::duration> cost_model::estimate(const kind& of,
                                                                std::size_t index) const {
    const detail::cost_prediction& own = of.cells[index].own;
    return own.is_known() ? std::optional{duration{static_cast<duration::rep>(
                                std::round(own.cost * places_[index].alone))}}
                          : std::nullopt;
}

inline std::optional<cost_model::duration> cost_model::prediction(const kind& of,
                                                                  std::size_t index) const {
    const auto expected = detail::predict_cost(of, index);
    return expected.is_known() ? std::optional{duration{static_cast<duration::rep>(
                                     std::round(expected.cost * places_[index].alone))}}
                               : std::nullopt;
}

inline cost_model::duration cost_model::forget_old(kind& of, duration now) noexcept {
    if (settings_.resample_time <= duration::zero()) {
        return duration::max();
    }
    if (of.learnt_since == duration::zero()) {
        of.learnt_since = now;
    }
    if (now - of.learnt_since >= settings_.resample_time) {
        of.learnt_since = now;
        for (detail::cost_cell& each : of.cells) {
            each.known = {};
            each.is_doubted = false;
            each.failures = 0;
            each.predict_by_own();
        }
        of.settle(0, 0);
    }
    return of.learnt_since + settings_.resample_time;
}

inline void cost_model::inherit(const cost_model& before,
                                std::span<const std::optional<std::size_t>> origins) {
    std::vector<model_pin> pins;
    for (std::size_t i = 0; i < origins.size(); ++i) {
        if (origins[i]) {
            places_[i].speed = before.places_[*origins[i]].speed;
        }
        for (const auto& [key, index] : before.pins_) {
            if (origins[i] == index) {
                pins.push_back({key, i});
            }
        }
    }
    pin(pins);
    for (auto each = before.by_use_.rbegin(); each != before.by_use_.rend(); ++each) {
        if (const kind& known = *before.kinds_[*each]; known.callable != nullptr) {
            find(known.key).inherit(known, origins);
        }
    }
}

inline std::vector<model_record> cost_model::records() const {
    std::vector<model_record> found;
    for (const auto& each : kinds_) {
        for (std::size_t i = 0; each->callable != nullptr && i < size(); ++i) {
            const detail::cost_cell& at = each->cells[i];
            if (!at.known.empty()) {
                found.push_back({each->key, i, at.known.summary(), at.is_exact});
            }
        }
    }
    return found;
}

inline void cost_model::check(const model_record& record, std::uint32_t weight) const {
    if (weight == 0) {
        throw invalid_option{"the weight of records is 0: pass 1 or more timings"};
    }
    check_index(record.resource, "a record is of");
    const evidence_summary& of = record.timings;
    if (!of.is_possible()) {
        throw invalid_option{"a record has " + std::to_string(of.count) +
                             " timings with the mean " + std::to_string(of.mean) +
                             " ns, the mean logarithm " + std::to_string(of.centre) +
                             " and the squared deviations " + std::to_string(of.squares) +
                             ": leave it out, as these do not come from timings"};
    }
}

inline void cost_model::check_index(std::size_t index, const char* of) const {
    if (index >= size()) {
        throw invalid_option{of + (" resource " + std::to_string(index)) + ", but the model has " +
                             std::to_string(size()) +
                             ": pass the index that the resource has in this model"};
    }
}

inline void cost_model::check_settings() const {
    if (is_frozen() && settings_.resample_time > duration::zero()) {
        throw invalid_option{
            "the resample time is " + std::to_string(settings_.resample_time.count()) +
            " ns, but the model is frozen and measures nothing: leave one of both out"};
    }
    if (settings_.default_resource) {
        check_index(*settings_.default_resource, "the default is");
        if (!is_frozen()) {
            throw invalid_option{
                "resource " + std::to_string(*settings_.default_resource) +
                " is the default, but the model is not frozen and measures unknown kinds of "
                "task: leave the default out"};
        }
    }
}

inline void cost_model::expect(std::span<const model_speed> speeds) {
    for (const model_speed& each : speeds) {
        check_index(each.resource, "a speed is of");
        each.speed.check("resource " + std::to_string(each.resource));
    }
    for (const model_speed& each : speeds) {
        places_[each.resource].speed = each.speed;
    }
}

inline void cost_model::pin(std::span<const model_pin> pins) {
    std::unordered_map<task_key, std::uint32_t, task_key_hash> next;
    for (const model_pin& each : pins) {
        check_index(each.resource, "a kind of task is pinned to");
        next.insert_or_assign(each.kind, static_cast<std::uint32_t>(each.resource));
    }
    pins_.swap(next);
    for (const auto& each : kinds_) {
        if (each->callable != nullptr && each->pinned() != pinned(each->key)) {
            each->pin(pinned(each->key));
        }
    }
}

inline void cost_model::take(std::span<const model_record> records, std::uint32_t weight) {
    for (const model_record& each : records) {
        check(each, weight);
    }
    for (const model_record& each : records) {
        kind& of = find(each.kind);
        detail::cost_cell& at = of.cells[each.resource];
        if (at.known.empty()) {
            at.known = evidence{weighing_at_most(each.timings, weight), of.callable->variance()};
            at.is_exact = each.is_exact;
            at.looked_at = of.runs;
            at.predict_by_own();
            of.callable->finished += at.known.count();
        }
    }
}

}  // namespace pointsman
