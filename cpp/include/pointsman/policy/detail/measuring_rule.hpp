// SPDX-License-Identifier: Apache-2.0
// What the rules that go by measured times have in common: a cost model, and who uses the hardware.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/cached_kinds.hpp"
#include "pointsman/policy/detail/recorded_reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/striped_loads.hpp"
#include "pointsman/policy/exact_times.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/device_speed.hpp"
#include "pointsman/tuning/divided_time.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/measured_record.hpp"
#include "pointsman/tuning/model_record.hpp"

namespace pointsman::detail {

/// What a rule has measured of one kind of task.
struct measured_kind {
    struct timings {
        std::uint32_t count = 0;                         ///< since the times last changed
        std::optional<std::chrono::nanoseconds> mean{};  ///< of a task that runs alone
        timing_history history{};                        ///< of all timings, also of the first run
    };

    task_key key;
    std::vector<timings> resources;
};

/// A choice of a rule that measures.
struct measured_choice {
    std::uint32_t index;
    std::uint16_t kind;  // the number of the task's kind
    std::uint16_t term;  // of the kind
    /// Of a timed task its number, whose lower half is not 0; of another one its predicted cost in
    /// nanoseconds, in the upper half.
    std::uint64_t ticket;

    [[nodiscard]] bool timed() const noexcept { return static_cast<std::uint32_t>(ticket) != 0; }
    [[nodiscard]] std::uint64_t predicted() const noexcept { return ticket >> 32U; }
};
static_assert(sizeof(measured_choice) <= 16, "travels in two registers");

/// The base of rules that learn what tasks cost. While the choice for a kind of short task stands, a thread
/// takes it from its cache; everything else happens under one lock.
class measuring_rule {
  public:
    using duration = std::chrono::nanoseconds;
    using choice = measured_choice;
    using settings = rule_settings<learning_settings, exact_times>;
    using reports = needed_reports<execution_info::task_time_t>;
    static constexpr bool weighs_transfers = true;

    template <class AnyBackend>
    static void prepare(AnyBackend& backend, const learning_settings&, exact_times times) {
        leave_out_inexact(backend, times);
    }

    /// Takes over what the rule of the set before has learnt of the same resources; `origins` has the index that
    /// each had there, if any. A resource that takes another part of its hardware now counts as new. To be
    /// called before the first choice.
    void inherit(const measuring_rule& before, std::vector<std::optional<std::size_t>> origins) {
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (origins[i] && before.places_[*origins[i]].alone != places_[i].alone) {
                origins[i].reset();
            }
        }
        if (std::ranges::none_of(origins, [](auto& each) { return each.has_value(); })) {
            return;
        }
        const std::scoped_lock lock{mutex_, before.mutex_};
        begin_ = before.begin_;
        model_.inherit(before.model_, origins);
        for (std::size_t i = 0; i < usual_.size(); ++i) {
            usual_[i] = origins[i] ? before.usual_[*origins[i]] : usual_[i];
        }
    }

    /// Goes by `now`, which the caller advances and which outlives the rule, instead of the clock. To be called
    /// before the first choice.
    void use_time(const clock::duration& now) noexcept { simulated_ = &now; }

    [[nodiscard]] bool wants_time(const choice& chosen) const noexcept { return chosen.timed(); }
    void add(const choice& chosen) noexcept {
        loads_.add(chosen.index, hazard_registry::thread());
        if (chosen.timed()) {
            const std::lock_guard lock{mutex_};
            if (auto* const kind = model_.known(chosen.kind, chosen.term)) {
                model_.reserve(*kind, chosen.index);
            }
        }
    }
    void learn(const choice& chosen, duration time, bool exact) noexcept {
        if (!chosen.timed()) {
            return;
        }
        const std::lock_guard lock{mutex_};
        const auto elapsed = static_cast<double>(time.count());
        const double booked = time_.end_after(chosen.ticket, elapsed);
        // A time that is told after the completion has nothing to be booked on.
        const double cost = booked > 0 ? booked : elapsed / time_.time_alone(chosen.index);
        double& usual = usual_[chosen.index];
        usual += (cost - usual) / usual_count;
        if (auto* const kind = model_.known(chosen.kind, chosen.term)) {
            model_.learn(*kind, chosen.index, of_nanoseconds(cost), exact);
        }
    }
    void fail(const choice& chosen) noexcept {
        const std::lock_guard lock{mutex_};
        if (auto* const kind = model_.known(chosen.kind, chosen.term)) {
            model_.fail(*kind, chosen.index);
        }
    }
    [[gnu::always_inline]] void give_back(const choice& chosen) noexcept {
        if (chosen.timed()) [[unlikely]] {
            release(chosen);
        }
        loads_.subtract(chosen.index, hazard_registry::thread());
    }

    /// Outstanding submissions by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const { return loads_.loads(); }

    /// What was measured of the kinds with the most tasks, at most `most` of them.
    [[nodiscard]] std::vector<measured_kind> most_used_kinds(std::size_t most) const {
        const std::lock_guard lock{mutex_};
        std::vector<measured_kind> found;
        for (const auto* const kind : model_.most_used(most)) {
            found.push_back({kind->key, {}});
            for (std::size_t i = 0; i < model_.size(); ++i) {
                found.back().resources.push_back(
                    {kind->cells[i].known.count(), model_.estimate(*kind, i), kind->histories[i]});
            }
        }
        return found;
    }

    /// As the members of `cost_model` with these names.
    [[nodiscard]] std::vector<model_record> records() const {
        const std::lock_guard lock{mutex_};
        return model_.records();
    }
    void take(std::span<const model_record> known) {
        const std::lock_guard lock{mutex_};
        model_.take(known);
    }
    void expect(std::span<const model_speed> speeds) {
        const std::lock_guard lock{mutex_};
        model_.expect(speeds);
    }
    void pin(std::span<const model_pin> pins) {
        const std::lock_guard lock{mutex_};
        model_.pin(pins);
    }

  protected:
    measuring_rule(const std::vector<domain>& domains, learning_settings learning)
        : time_{domains},
          model_{domains, learning},
          usual_(domains.size()),
          loads_{domains.size()},
          timed_work_{new std::atomic<float>[time_.domains()] {}},
          resamples_{learning.resample_time > duration::zero()} {
        for (std::size_t i = 0; i < time_.size(); ++i) {
            places_.push_back({static_cast<std::uint32_t>(time_.domain_of(i)),
                               static_cast<float>(time_.time_alone(i))});
        }
    }
    ~measuring_rule() = default;

    /// Returns the settled choice of `key`, if the thread has it in `entry`; otherwise one whose period is 0.
    [[nodiscard, gnu::always_inline]] cost_kind::settled_choice settled(
        const task_key& key, const cached_kind* entry) const noexcept {
        if (entry != nullptr && entry->untimed > 0 && entry->key == key && is_fresh(*entry))
            [[likely]] {
            const auto settled = entry->kind->settled();
            if (settled.term == entry->term) [[likely]] {
                return settled;
            }
        }
        return {};
    }
    /// Puts `key`, which is not in it, into `entry`, for one untimed task. Once in every period the next
    /// task is timed instead, so that keys that evict each other are timed as seldom as all others.
    void fetch(const task_key& key, cached_kind& entry) {
        const std::lock_guard lock{mutex_};
        auto& kind = model_.find(key);
        const auto settled = kind.settled();
        const bool is_due =
            settled.period == 0 || resamples_ || kind.count_fetch() % settled.period == 0;
        entry = {key, &kind, is_due ? 0U : 1U, settled.term};
    }

    /// A resource and its settled cost. Another thread may change the cost after it was compared.
    struct settled_place {
        std::size_t index;
        float cost;
    };
    /// The resource with the lowest `score(index, settled cost)`, `usual` if it is among them. All scores are
    /// compared as they are recorded in `record`.
    template <class Score>
    [[nodiscard]] settled_place lowest_recorded(const cost_kind& kind, std::size_t usual,
                                                measured_record& record,
                                                Score score) const noexcept {
        record.size = static_cast<std::uint32_t>(std::min(places_.size(), measured_record::most));
        record.failing = record.from_others = 0;
        record.reason = kind.pinned() == cost_kind::nowhere ? measured_reason::lowest_score
                                                            : measured_reason::pinned;
        constexpr float never = std::numeric_limits<float>::infinity();
        settled_place lowest{usual, never};
        float least = never;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const float cost = kind.settled_cost(i);
            const float found = score(i, cost);
            if (i < measured_record::most) {
                record.candidates[i] = {cost * places_[i].alone, found};
                if (cost < 0) {  // a guess
                    record.candidates[i] = {never, never};
                }
            }
            if (found < least || (found == least && i == usual)) {
                least = found;
                lowest = {i, cost};
            }
        }
        return lowest;
    }

    /// Asks the model for a resource, and counts a timed task there. `work_before(d, now)` is the work before
    /// it in domain `d`, in nanoseconds, and null if that does not count; `must_wait(kind, now)` is true if the
    /// task has to wait, and the result then empty. `transfers` are those of `transfers_of`.
    template <class Record, class WorkBefore, class MustWait>
    [[nodiscard]] std::optional<choice> measure(const task_key& key, cached_kind* entry,
                                                std::size_t thread, Record record,
                                                std::span<const double> transfers,
                                                WorkBefore work_before, MustWait must_wait) {
        const std::lock_guard lock{mutex_};
        const double at = now();
        auto& kind = kind_of(key, entry);
        const auto fresh_until = model_.forget_old(kind, of_nanoseconds(at));
        if (model_.may_measure(kind) && must_wait(kind, at)) {
            return std::nullopt;
        }
        if constexpr (!std::same_as<WorkBefore, std::nullptr_t>) {
            work_.resize(time_.domains());
            for (std::size_t d = 0; d < work_.size(); ++d) {
                work_[d] = work_before(d, at);
            }
        }
        measured_record* seen = nullptr;
        if constexpr (is_record_v<Record>) {
            seen = record;
        }
        const auto chosen = model_.choose(kind, work_, time_.load(), seen, transfers);
        has_untimed_ = has_untimed_ || kind.period() > 1;
        const double cost = chosen.predicted > duration::zero()
                                ? static_cast<double>(chosen.predicted.count())
                                : usual_[chosen.index];
        // The last step that may throw.
        const auto number = time_.submit(chosen.index, cost, at, share_of(chosen.index, cost));
        model_.reserve(kind, chosen.index);
        publish_work(chosen.index);
        loads_.add(chosen.index, thread);
        const auto settled = kind.settled();
        if (entry != nullptr) {
            *entry = {key, &kind, kind.period() - 1, settled.term, fresh_until};
        }
        return choice{static_cast<std::uint32_t>(chosen.index), kind.number, settled.term, number};
    }

    /// The reason for a choice, by what is known now. `words(*fastest)` has those for a choice among known
    /// resources, of which `fastest` is the fastest.
    template <class Words>
    [[nodiscard]] std::string measured_reason(const choice& chosen, Words words) const {
        const std::lock_guard lock{mutex_};
        const auto* const kind = model_.known(chosen.kind, chosen.term);
        if (kind == nullptr) {
            return "it was chosen by times that have been forgotten since";
        }
        const auto known = estimates_of(*kind);
        const std::string about =
            known[chosen.index] ? about_time(static_cast<double>(known[chosen.index]->count()))
                                : "";
        if (kind->pinned() == chosen.index) {
            return pinned_reason + about;
        }
        std::optional<std::size_t> fastest;
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (known[i] && (!fastest || *known[i] < *known[*fastest])) {
                fastest = i;
            }
            // A resource that fails, or that such tasks refuse, stays unknown.
            if (!known[i] && !model_.is_frozen() &&
                (kind->cells[i].failures == 0 || i == chosen.index)) {
                return "it was measured on this kind of task, as not all resources are known yet";
            }
        }
        if (!fastest) {
            return model_.prediction(*kind, chosen.index)
                       ? "it is predicted to be best from other sizes of this kind of task"
                       : default_reason;
        }
        const bool is_again =
            model_.may_measure(*kind) && chosen.timed() && *fastest != chosen.index;
        return (is_again ? std::string{"it was measured again on this kind of task"}
                         : words(*fastest)) +
               about;
    }
    /// Does not make the kind known.
    [[nodiscard]] std::vector<std::optional<duration>> estimates_of(const task_key& key) const {
        const std::lock_guard lock{mutex_};
        const auto* const kind = model_.seen(key);
        return kind == nullptr ? std::vector<std::optional<duration>>(model_.size())
                               : estimates_of(*kind);
    }
    [[nodiscard]] std::vector<std::optional<duration>> estimates_of(
        const cost_model::kind& kind) const {
        std::vector<std::optional<duration>> known(model_.size());
        for (std::size_t i = 0; i < known.size(); ++i) {
            known[i] = model_.estimate(kind, i);
        }
        return known;
    }

    struct place {
        std::uint32_t domain;
        float alone;  // how long a task of cost 1 takes by itself
    };
    /// The parts of the rule that hold without the lock ...
    [[nodiscard]] const std::vector<place>& places() const noexcept { return places_; }
    [[nodiscard]] striped_loads& counts() noexcept { return loads_; }
    [[nodiscard]] const cached_kinds& caches() const noexcept { return caches_; }
    /// Predicted work of the timed tasks that a domain had outstanding at the last change, in nanoseconds.
    [[nodiscard, gnu::always_inline]] float timed_work(std::size_t domain) const noexcept {
        return timed_work_[domain].load(std::memory_order_relaxed);
    }
    /// ... and those that are guarded by it, for the functions that are given to `measure`.
    [[nodiscard]] divided_time& time() noexcept { return time_; }
    [[nodiscard]] std::optional<double> last_completion() const noexcept {
        return last_completion_;
    }

  private:
    static constexpr double usual_count = 8;  // about how many tasks `usual_` averages

    [[nodiscard]] static duration of_nanoseconds(double count) noexcept {
        return duration{static_cast<duration::rep>(count)};
    }
    [[nodiscard]] double now() const noexcept { return static_cast<double>(since_begin().count()); }
    [[nodiscard]] clock::duration since_begin() const noexcept {
        return simulated_ != nullptr ? *simulated_ : clock::now() - begin_;
    }
    [[nodiscard]] bool is_fresh(const cached_kind& entry) const noexcept {
        return !resamples_ || since_begin() < entry.fresh_until;
    }

    /// The kind of `key`, from `entry` if it is there.
    [[nodiscard]] cost_kind& kind_of(const task_key& key, const cached_kind* entry) {
        if (entry != nullptr && entry->kind != nullptr && entry->key == key &&
            entry->kind->term() == entry->term) {
            entry->kind->touch();
            return *entry->kind;
        }
        return model_.find(key);
    }
    /// The part of what a task of the given cost receives on `index` that is its own, and not that of the
    /// tasks there that are not timed. Those are short, and like it if it is short; they lie evenly between
    /// the timed ones.
    [[nodiscard]] double share_of(std::size_t index, double cost) const noexcept {
        if (!has_untimed_) {
            return 1;
        }
        const auto timed = static_cast<double>(time_.load(index));
        const double untimed = std::max(loads_.sum(index) - timed, 0.0) / (1 + timed);
        const double each =
            std::min(cost, static_cast<double>(model_.settings().always_timed.count()));
        return std::min(cost * static_cast<double>(time_.slots(index)) / (cost + untimed * each),
                        1.0);
    }
    void publish_work(std::size_t index) noexcept {
        const std::size_t domain = time_.domain_of(index);
        timed_work_[domain].store(static_cast<float>(time_.predicted(domain)),
                                  std::memory_order_relaxed);
    }
    [[gnu::noinline]] void release(const choice& chosen) noexcept {
        const std::lock_guard lock{mutex_};
        const double at = now();
        time_.end(chosen.ticket, at);
        publish_work(chosen.index);
        last_completion_ = at;
        if (auto* const kind = model_.known(chosen.kind, chosen.term)) {
            model_.release(*kind, chosen.index);
        }
    }

    clock::time_point begin_ = clock::now();
    const clock::duration* simulated_ = nullptr;
    mutable std::mutex mutex_;  // guards all up to `last_completion_`
    divided_time time_;
    mutable cost_model model_;
    std::vector<double> work_;   // of each domain, for `measure`; empty if it does not count
    std::vector<double> usual_;  // cost of the last tasks on each resource
    bool has_untimed_ = false;
    std::optional<double> last_completion_;
    striped_loads loads_;
    std::unique_ptr<std::atomic<float>[]> timed_work_;
    std::vector<place> places_;  // by resource
    cached_kinds caches_;
    const bool resamples_;
};

}  // namespace pointsman::detail
