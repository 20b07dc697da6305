// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource on which a task is expected to end first.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pointsman/policy/detail/measuring_rule.hpp"
#include "pointsman/policy/detail/recorded_reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/striped_loads.hpp"
#include "pointsman/policy/exact_times.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/measured_record.hpp"
#include "pointsman/tuning/task_key.hpp"
#include "pointsman/tuning/transfers_of.hpp"

namespace pointsman {

/// The rule of `earliest_finish_policy`: a cost model, and the time of shared hardware divided among tasks.
class earliest_finish_rule : public detail::measuring_rule {
  public:
    static constexpr auto name = "earliest_finish";
    using detail::measuring_rule::choice;

    /// For `size` resources that share no hardware.
    explicit earliest_finish_rule(std::size_t size, learning_settings learning = never_resample,
                                  exact_times times = exact_times::preferred)
        : earliest_finish_rule{std::vector<domain>(size), learning, times} {}
    /// For one resource of each of `domains`.
    explicit earliest_finish_rule(const std::vector<domain>& domains,
                                  learning_settings learning = never_resample,
                                  exact_times = exact_times::preferred)
        : measuring_rule{domains, learning}, untimed_work_{time().domains()} {
        for (const domain& each : domains) {
            at_once_ += std::clamp<std::size_t>(each.slots, 1, most_at_once);
        }
    }

    /// The key of a task.
    template <class... Task>
    static task_key key_of(const Task&... task) {
        return task_key_of(task...);
    }
    /// The resource for a task; counts it there. Empty if the task has to wait for results.
    template <class... Task>
    [[nodiscard]] std::optional<choice> choose(std::size_t thread, const Task&... task) {
        static_assert(sizeof...(Task) > 0,
                      "this policy looks at the task: pass select(policy, f, args...) what will "
                      "be submitted");
        const task_key key = key_of(task...);
        const auto record = detail::record_of(task...);
        auto* const entry = caches().place_of(key, thread);
        const auto transfers = transfers_of(task...);
        if (!transfers.empty()) [[unlikely]] {
            return ask(key, entry, thread, record, transfers);
        }
        if (const auto settled = this->settled(key, entry); settled.period > 0) [[likely]] {
            if (const choice made = go_by(settled, *entry, thread, record);
                made.index != has_to_ask) [[likely]] {
                return made;
            }
        }
        return look_up(key, entry, thread, record);
    }
    template <class... Task>
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const Task&... task) const {
        return estimates_of(key_of(task...));
    }
    void add(const choice& chosen) noexcept {
        measuring_rule::add(chosen);
        if (!chosen.timed()) {
            untimed_work_.add(places()[chosen.index].domain, detail::hazard_registry::thread(),
                              chosen.predicted());
        }
    }
    void give_back(const choice& chosen) noexcept {
        if (!chosen.timed()) {
            untimed_work_.subtract(places()[chosen.index].domain, detail::hazard_registry::thread(),
                                   chosen.predicted());
        }
        measuring_rule::give_back(chosen);
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        return measured_reason(chosen, [](std::size_t) {
            return std::string{
                "it is the one where this and what was outstanding was expected to end first"};
        });
    }
    /// The reason for the choice of `index`, by what its task recorded then.
    [[nodiscard]] static std::string explain(std::size_t index,
                                             const detail::measured_record& record) {
        return detail::recorded_reason(index, record, "it was expected to end first");
    }

  private:
    static constexpr std::size_t most_at_once = 16;
    static constexpr std::uint32_t has_to_ask = std::numeric_limits<std::uint32_t>::max();

    /// When a short task of the given cost ends on `index`, or `latest` if that is not before it.
    [[nodiscard, gnu::always_inline]] float end_on(std::size_t index, float cost, std::size_t rows,
                                                   float latest) const noexcept {
        const auto [domain, alone] = places()[index];
        if (cost * alone >= latest) {
            return latest;
        }
        const float work = timed_work(domain) + static_cast<float>(untimed_work_.sum(domain, rows));
        return std::max(static_cast<float>(detail::wait_weight) * work + cost, cost * alone);
    }
    /// The resource on which a short task ends first by its settled costs; `usual` among equal ones.
    template <class Record>
    [[nodiscard, gnu::always_inline]] settled_place first_to_end(
        const detail::cost_kind& kind, std::size_t usual,
        [[maybe_unused]] Record record) const noexcept {
        constexpr float never = std::numeric_limits<float>::infinity();
        const std::size_t rows = untimed_work_.rows();
        if constexpr (detail::is_record_v<Record>) {
            return lowest_recorded(kind, usual, *record, [=, this](std::size_t i, float cost) {
                return end_on(i, std::abs(cost), rows, never);
            });
        } else {
            settled_place first{usual, kind.settled_cost(usual)};
            float least = end_on(usual, first.cost, rows, never);
            for (std::size_t i = 0; i < places().size(); ++i) {
                const float cost = kind.settled_cost(i);
                if (const float end = end_on(i, std::abs(cost), rows, least); end < least) {
                    least = end;
                    first = {i, cost};
                }
            }
            return first;
        }
    }
    /// Places a task by the settled costs; returns `has_to_ask` as the index if it would go by a guess. Not
    /// inline, as a choice in registers is copied faster than one in memory.
    template <class Record>
    [[nodiscard, gnu::noinline]] choice go_by(const detail::cost_kind::settled_choice& settled,
                                              detail::cached_kind& entry, std::size_t thread,
                                              Record record) noexcept {
        const detail::cost_kind& kind = *entry.kind;
        const auto [index, cost] = first_to_end(kind, settled.index, record);
        if (cost < 0) [[unlikely]] {
            return {has_to_ask, 0, 0, 0};
        }
        --entry.untimed;
        const auto rounded = static_cast<std::uint32_t>(std::clamp(cost, 1.0F, 1e9F));
        counts().add(index, thread);
        untimed_work_.add(places()[index].domain, thread, rounded);
        return {static_cast<std::uint32_t>(index), kind.number, settled.term,
                std::uint64_t{rounded} << 32U};
    }
    template <class Record>
    [[nodiscard, gnu::noinline]] std::optional<choice> look_up(task_key key,
                                                               detail::cached_kind* entry,
                                                               std::size_t thread, Record record) {
        if (entry != nullptr && entry->key != key) {
            fetch(key, *entry);
            if (const auto settled = this->settled(key, entry); settled.period > 0) {
                if (const choice made = go_by(settled, *entry, thread, record);
                    made.index != has_to_ask) {
                    return made;
                }
            }
        }
        return ask(key, entry, thread, record, {});
    }
    template <class Record>
    [[nodiscard]] std::optional<choice> ask(const task_key& key, detail::cached_kind* entry,
                                            std::size_t thread, Record record,
                                            std::span<const double> transfers) {
        return measure(
            key, entry, thread, record, transfers,
            [this](std::size_t domain, double now) {
                return time().backlog(domain, now) + static_cast<double>(untimed_work_.sum(domain));
            },
            [this](const detail::cost_kind& kind, double now) { return must_wait(kind, now); });
    }

    /// Returns true if a burst has to wait for results: tasks placed before anything is known end long after
    /// the others. The task goes ahead if nothing completes for `patience`, as it may be what the others
    /// wait for.
    [[nodiscard]] bool must_wait(const detail::cost_kind& kind, double now) noexcept {
        const auto& all = *kind.callable;
        if (static_cast<double>(all.outstanding) <
            static_cast<double>(at_once_) + results_each * static_cast<double>(all.finished)) {
            return false;
        }
        if (!waits_since_ || last_completion().value_or(0) > *waits_since_) {
            waits_since_ = now;
        }
        return now - *waits_since_ < patience;
    }
    static constexpr double results_each = 1;  // outstanding tasks for each completed one
    static constexpr double patience = 100e6;  // nanoseconds

    striped_sums<std::uint64_t> untimed_work_;  // by domain, predicted, in nanoseconds
    std::uint64_t at_once_ = 0;                 // tasks that the resources run at a time
    std::optional<double> waits_since_;         // the first task that had to wait; under the lock
};

/// Learns what each kind of task costs on each resource, and chooses the resource on which the work
/// outstanding and the task are predicted to end first. Use it where several tasks are outstanding: the
/// slower resources get what the faster ones have no time for.
///
/// It learns as `auto_tune_policy` does. Resources that share hardware, as an arena and an OpenCL device of
/// the same cores (`domain_of`), have one backlog. Two rules keep hardware in use: work before a task counts
/// three times as much as the task, since a task that waits leaves slower hardware idle, as long as it
/// ends at most twice as late there; and among resources of the same hardware, the more tasks are
/// outstanding, the more counts what a task takes of the hardware, and not how soon it ends.
///
/// A burst of a new callable binds late: `submit` waits, and `try_submit` returns an empty optional, while as
/// many tasks are outstanding as the resources run at a time and results have been seen. A task goes ahead
/// all the same if nothing completes for 0.1 s.
///
/// **Needs**: `task_time`. What is outstanding counts as far as the backend reports `task_submission`
/// and `task_completion` too; a task of one that reports the time alone counts until the backend drops
/// the selection that it was given. A resource whose times are upper bounds is used like the others,
/// unless `exact_times::required` leaves it out. A callable may state how long its arguments are under way to
/// each resource (`transfers_of`).
/// **Key**: that of `auto_tune_policy` without `KeyArgs`.
/// **Throws**: as `auto_tune_policy`.
/// **Thread safety**: all members from any thread; copies share what has been learnt.
/// **Cost**: for tasks under 10 us, while the costs stand, a look at each resource and at what each thread has
/// outstanding, no lock and no clock; one in as many as take 40 us together, at most 1,024, is timed. A
/// timed task takes three locks, two clock reads and a look at each resource.
/// **Example**: `earliest_finish_policy p{{cpu, gpu}};  submit(p, [](auto& r, int n) { ... }, 1000);`
/// Source: the minimum completion time rule of heterogeneous scheduling (Maheswaran et al., 1999); the test
/// for a change is that of Page (1954), "Continuous inspection schemes".
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class earliest_finish_policy
    : public detail::rule_policy<earliest_finish_policy<Resource, ResourceAdapter, Backend>,
                                 earliest_finish_rule, ResourceAdapter, Backend> {
  public:
    using duration = std::chrono::nanoseconds;
    using earliest_finish_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(earliest_finish_policy, learning_settings, exact_times);

static_assert(detail::policy_by_rule<earliest_finish_policy<detail::sample_resource>>);

}  // namespace pointsman
