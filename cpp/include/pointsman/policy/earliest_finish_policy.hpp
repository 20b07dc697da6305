// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource on which a task is expected to end first.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/backlog.hpp"
#include "pointsman/policy/detail/cached_tuners.hpp"
#include "pointsman/policy/detail/measured_reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/exact_times.hpp"

namespace pointsman {

/// The rule of `earliest_finish_policy`, for `size` resources.
class earliest_finish_rule {
  public:
    static constexpr auto name = "earliest_finish";
    using duration = std::chrono::nanoseconds;
    using settings = detail::rule_settings<tuner_settings, exact_times>;
    using reports = detail::needed_reports<execution_info::task_time_t>;

    explicit earliest_finish_rule(std::size_t size, tuner_settings learning = never_resample,
                                  exact_times = exact_times::preferred)
        : backlog_{size}, tuners_{size, learning} {}

    template <class AnyBackend>
    static void prepare(AnyBackend& backend, const tuner_settings&, exact_times times) {
        detail::leave_out_inexact(backend, times);
    }

    struct choice {
        std::uint32_t index;
        bool timed;  // to learn the resource's time
        tuner_in_term tuner;
        duration predicted;  // zero while unknown
        backlog::amount before;
    };
    /// The resource for a task; counts it there.
    template <class... Task>
    [[nodiscard]] choice choose(std::size_t thread, const Task&... task) {
        static_assert(sizeof...(Task) > 0,
                      "this policy looks at the task: pass select(policy, f, args...) what will "
                      "be submitted");
        const task_key key = task_key_of(task...);
        choice chosen{};
        const auto ask = [&](tuner& t, duration now) {
            const auto due = t.due(now);
            chosen.timed = due && may_measure(t, *due);
            chosen.index = static_cast<std::uint32_t>(chosen.timed ? *due : earliest(t));
            chosen.predicted = t.estimate(chosen.index).value_or(duration::zero());
            chosen.before = backlog_.add(chosen.index, chosen.predicted);
            t.reserve(chosen.index);
        };
        chosen.tuner = tuners_.ask(key, tuners_.place_of(key, thread), ask);
        return chosen;
    }
    template <class... Task>
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const Task&... task) {
        return tuners_.estimates(task_key_of(task...), backlog_.size());
    }
    [[nodiscard]] bool wants_time(const choice&) const noexcept { return true; }
    void add(const choice& chosen) {
        static_cast<void>(backlog_.add(chosen.index, chosen.predicted));
        chosen.tuner.with([&](tuner& t) { t.reserve(chosen.index); });
    }
    void learn(const choice& chosen, duration time, bool exact) {
        const auto own = chosen.before.share_of(time, chosen.predicted);
        const auto now = tuners_.now();
        chosen.tuner.with(
            [&](tuner& t) { t.add(chosen.index, own, {exact, chosen.before.tasks > 0}, now); });
    }
    void fail(const choice& chosen) {
        chosen.tuner.with([&](tuner& t) { t.fail(chosen.index); });
    }
    void give_back(const choice& chosen) {
        chosen.tuner.with([&](tuner& t) { t.release(chosen.index); });
        backlog_.subtract(chosen.index, chosen.predicted);
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        return detail::measured_reason(chosen.tuner, chosen.index, chosen.timed, [](const tuner&) {
            return std::string{
                "it is the one where this and what was outstanding was expected to end first"};
        });
    }
    /// The choice of `index` for a task, as far as it can still be told, for `explain`.
    template <class... Task>
    [[nodiscard]] choice recall(std::size_t index, bool timed, const Task&... task) {
        return {
            static_cast<std::uint32_t>(index), timed, tuners_.find(task_key_of(task...)), {}, {}};
    }

    [[nodiscard]] std::vector<std::size_t> loads() const { return backlog_.loads(); }

  private:
    /// Once all are known, a task measures a resource again only where it need not wait there.
    [[nodiscard]] bool may_measure(const tuner& t, std::size_t index) const noexcept {
        return !t.best() || backlog_.time(index) == duration::zero();
    }
    /// Of the resources whose time is known.
    [[nodiscard]] std::size_t earliest(const tuner& t) const {
        std::size_t found = *t.best();
        duration least = backlog_.time(found) + *t.estimate(found);
        for (std::size_t i = 0; i < backlog_.size(); ++i) {
            const auto time = t.estimate(i);
            if (time && backlog_.time(i) + *time < least) {
                found = i;
                least = backlog_.time(i) + *time;
            }
        }
        return found;
    }

    backlog backlog_;
    detail::cached_tuners tuners_;
};

/// Measures each kind of task on each resource, as `auto_tune_policy` does, and then chooses where the
/// predicted time of the task and of all work outstanding before it is least. Use it for unlike
/// resources that are all worth using: the slower one gets what the faster one has no time for.
///
/// A task that found work before it on its resource took its share of the time until it ended: in the
/// proportion of the predicted times.
///
/// **Needs**: `task_time`. What is outstanding counts as far as the backend reports `task_submission`
/// and `task_completion` too; a task of one that reports the time alone counts until the backend drops
/// the selection that it was given. A resource whose times are upper bounds is used like the others,
/// unless `exact_times::required` leaves it out.
/// **Key**: that of `auto_tune_policy` without `KeyArgs`.
/// **Throws**: at construction as `auto_tune_policy`.
/// **Thread safety**: all members from any thread; copies share what has been learnt.
/// **Cost**: three locks, two clock reads (with a `resample_time` four) and a look at each resource; for
/// tasks of a microsecond or more. No allocation once a kind of task is known.
/// **Example**: `earliest_finish_policy p{{cpu, gpu}};  submit(p, [](auto& r, int n) { ... }, 1000);`
/// Source: the minimum completion time rule of heterogeneous scheduling (Maheswaran et al., 1999).
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class earliest_finish_policy
    : public detail::rule_policy<earliest_finish_policy<Resource, ResourceAdapter, Backend>,
                                 earliest_finish_rule, ResourceAdapter, Backend> {
  public:
    using duration = std::chrono::nanoseconds;
    using earliest_finish_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(earliest_finish_policy, tuner_settings, exact_times);

static_assert(detail::policy_by_rule<earliest_finish_policy<detail::sample_resource>>);

}  // namespace pointsman
