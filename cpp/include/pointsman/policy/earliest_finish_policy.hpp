// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource on which a task is expected to end first.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/clock.hpp"
#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/measured_reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/exact_times.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/divided_time.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/task_key.hpp"
#include "pointsman/tuning/tuner.hpp"

namespace pointsman {

/// The rule of `earliest_finish_policy`: a cost model, and the time of shared hardware divided among tasks.
class earliest_finish_rule {
  public:
    static constexpr auto name = "earliest_finish";
    using duration = std::chrono::nanoseconds;
    using settings = detail::rule_settings<tuner_settings, exact_times>;
    using reports = detail::needed_reports<execution_info::task_time_t>;

    /// For `size` resources that share no hardware.
    explicit earliest_finish_rule(std::size_t size, tuner_settings learning = never_resample,
                                  exact_times times = exact_times::preferred)
        : earliest_finish_rule{std::vector<domain>(size), learning, times} {}
    /// For one resource of each of `domains`.
    explicit earliest_finish_rule(const std::vector<domain>& domains,
                                  tuner_settings learning = never_resample,
                                  exact_times = exact_times::preferred)
        : resample_time_{learning.resample_time},
          model_{domains.size()},
          time_{domains},
          waits_(domains.size()),
          usual_(domains.size()),
          loads_(domains.size()) {}

    template <class AnyBackend>
    static void prepare(AnyBackend& backend, const tuner_settings&, exact_times times) {
        detail::leave_out_inexact(backend, times);
    }

    struct choice {
        std::uint32_t index;
        bool timed;  // to learn the resource's time
        task_key key;
        divided_time::task_id number;
        duration begun;
    };
    /// The resource for a task; counts it there.
    template <class... Task>
    [[nodiscard]] choice choose(std::size_t, const Task&... task) {
        static_assert(sizeof...(Task) > 0,
                      "this policy looks at the task: pass select(policy, f, args...) what will "
                      "be submitted");
        return place(task_key_of(task...));
    }
    template <class... Task>
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const Task&... task) {
        const std::lock_guard lock{mutex_};
        return estimates_of(model_.find(task_key_of(task...)));
    }
    [[nodiscard]] bool wants_time(const choice&) const noexcept { return true; }
    void add(const choice& chosen) noexcept {
        const std::lock_guard lock{mutex_};
        ++loads_[chosen.index];
        if (auto* const kind = model_.known(chosen.key)) {
            model_.reserve(*kind, chosen.index);
        }
    }
    void learn(const choice& chosen, duration time, bool exact) noexcept {
        const std::lock_guard lock{mutex_};
        const double booked = time_.end(chosen.number, nanoseconds_of(chosen.begun + time));
        // A time that is told after the completion has nothing to be booked on.
        const double cost =
            booked > 0 ? booked : nanoseconds_of(time) / time_.time_alone(chosen.index);
        double& usual = usual_[chosen.index];
        usual += (cost - usual) / usual_count;
        if (auto* const kind = model_.known(chosen.key)) {
            model_.learn(*kind, chosen.index, of_nanoseconds(cost), exact);
        }
    }
    void fail(const choice& chosen) noexcept {
        const std::lock_guard lock{mutex_};
        if (auto* const kind = model_.known(chosen.key)) {
            model_.fail(*kind, chosen.index);
        }
    }
    void give_back(const choice& chosen) noexcept {
        const std::lock_guard lock{mutex_};
        --loads_[chosen.index];
        time_.end(chosen.number, now());
        if (auto* const kind = model_.known(chosen.key)) {
            model_.release(*kind, chosen.index);
        }
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        const std::lock_guard lock{mutex_};
        const auto& kind = model_.find(chosen.key);
        const auto known = estimates_of(kind);
        const std::string about = detail::about_time(known[chosen.index]);
        if (!chosen.timed) {
            return "it is the one where this and what was outstanding was expected to end first" +
                   about;
        }
        const bool all_known =
            std::ranges::all_of(known, [](auto& each) { return each.has_value(); });
        return all_known
                   ? "it was measured again on this kind of task" + about
                   : "it was measured on this kind of task, as not all resources are known yet";
    }
    /// The choice of `index` for a task, as far as it can still be told, for `explain`.
    template <class... Task>
    [[nodiscard]] choice recall(std::size_t index, bool timed, const Task&... task) {
        return {static_cast<std::uint32_t>(index), timed, task_key_of(task...), 0, {}};
    }

    /// Outstanding tasks by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        const std::lock_guard lock{mutex_};
        return loads_;
    }

  private:
    [[nodiscard]] static double nanoseconds_of(duration time) noexcept {
        return static_cast<double>(time.count());
    }
    [[nodiscard]] static duration of_nanoseconds(double count) noexcept {
        return duration{static_cast<duration::rep>(count)};
    }
    /// The time that a task takes alone, where it is known.
    [[nodiscard]] std::vector<std::optional<duration>> estimates_of(
        const cost_model::kind& kind) const {
        std::vector<std::optional<duration>> known(model_.size());
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (const auto cost = model_.estimate(kind, i)) {
                known[i] = of_nanoseconds(nanoseconds_of(*cost) * time_.time_alone(i));
            }
        }
        return known;
    }
    [[nodiscard]] double now() const noexcept { return nanoseconds_of(clock::now() - begin_); }

    [[nodiscard]] choice place(const task_key& key) {
        const std::lock_guard lock{mutex_};
        const double at = now();
        auto& kind = model_.find(key);
        if (resample_time_ > duration::zero()) {
            model_.forget_after(kind, resample_time_, of_nanoseconds(at));
        }
        for (std::size_t i = 0; i < waits_.size(); ++i) {
            waits_[i] = time_.backlog(i, at);
        }
        const auto chosen = model_.choose(kind, waits_);
        const double cost = chosen.predicted > duration::zero() ? nanoseconds_of(chosen.predicted)
                                                                : usual_[chosen.index];
        const auto number = time_.submit(chosen.index, cost, at);  // the last step that may throw
        model_.reserve(kind, chosen.index);
        ++loads_[chosen.index];
        return {static_cast<std::uint32_t>(chosen.index), chosen.is_measurement, key, number,
                of_nanoseconds(at)};
    }

    static constexpr double usual_count = 8;  // about how many tasks `usual_` averages

    duration resample_time_;
    clock::time_point begin_ = clock::now();
    mutable std::mutex mutex_;  // guards all below
    mutable cost_model model_;  // looking for a kind of task may make one
    divided_time time_;
    std::vector<double> waits_;
    std::vector<double> usual_;       // cost of the last tasks on each resource
    std::vector<std::size_t> loads_;  // outstanding submissions
};

/// Learns what each kind of task costs on each resource, and chooses the resource on which the work
/// outstanding and the task are predicted to end first. Use it for unlike resources that are all worth
/// using: the slower one gets what the faster one has no time for.
///
/// A size without timings is predicted from other sizes of the same callable, so that a resource that is
/// far too slow at one size is not tried at the next. A change of the times is found by a statistical
/// test; what was learnt before the change is dropped. The other resources are looked at again for about
/// 0.4 % of the work, so that one that has become faster is found without a `resample_time`.
///
/// Resources that share hardware, as an arena and an OpenCL device of the same cores (`domain_of`), have
/// one backlog, and the hardware's time is divided among their tasks. A task is booked with its share of
/// the hardware, not with its wait behind other tasks.
///
/// **Needs**: `task_time`. What is outstanding counts as far as the backend reports `task_submission`
/// and `task_completion` too; a task of one that reports the time alone counts until the backend drops
/// the selection that it was given. A resource whose times are upper bounds is used like the others,
/// unless `exact_times::required` leaves it out.
/// **Key**: that of `auto_tune_policy` without `KeyArgs`.
/// **Throws**: at construction as `auto_tune_policy`.
/// **Thread safety**: all members from any thread; copies share what has been learnt.
/// **Cost**: one lock for the choice and one for each report, two clock reads, and a look at each resource:
/// a few hundred nanoseconds; for tasks of a few microseconds or more.
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
POINTSMAN_POLICY_GUIDES(earliest_finish_policy, tuner_settings, exact_times);

static_assert(detail::policy_by_rule<earliest_finish_policy<detail::sample_resource>>);

}  // namespace pointsman
