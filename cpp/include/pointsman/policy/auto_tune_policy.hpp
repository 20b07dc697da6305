// SPDX-License-Identifier: Apache-2.0
// The policy that measures its resources on each kind of task and uses the best.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pointsman/policy/detail/measuring_rule.hpp"
#include "pointsman/policy/detail/recorded_reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/exact_times.hpp"
#include "pointsman/tuning/cost_model.hpp"
#include "pointsman/tuning/domain.hpp"
#include "pointsman/tuning/measured_record.hpp"
#include "pointsman/tuning/task_key.hpp"
#include "pointsman/tuning/transfers_of.hpp"

namespace pointsman {

/// The rule of `auto_tune_policy`.
template <class... KeyArgs>
class auto_tune_rule : public detail::measuring_rule {
  public:
    static constexpr auto name = "auto_tune";
    using detail::measuring_rule::choice;

    /// For `size` resources that share no hardware.
    explicit auto_tune_rule(std::size_t size, learning_settings learning = never_resample,
                            exact_times times = exact_times::preferred)
        : auto_tune_rule{std::vector<domain>(size), learning, times} {}
    /// For one resource of each of `domains`.
    explicit auto_tune_rule(const std::vector<domain>& domains,
                            learning_settings learning = never_resample,
                            exact_times = exact_times::preferred)
        : measuring_rule{domains, learning} {}

    /// The key of a task.
    template <class F, class... Args>
    static task_key key_of(const F& f, const Args&... args) {
        if constexpr (sizeof...(KeyArgs) == 0) {
            return task_key_of(f, args...);
        } else {
            static_assert(sizeof...(KeyArgs) <= sizeof...(Args),
                          "the policy's KeyArgs name more arguments than the function is given");
            return key_of_first(f, std::index_sequence_for<KeyArgs...>{}, std::tie(args...));
        }
    }
    /// The resource for a task; counts it there.
    template <class... Task>
    [[nodiscard, gnu::always_inline]] choice choose(std::size_t thread, const Task&... task) {
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
            return go_by(settled, *entry, thread, record);
        }
        return look_up(key, entry, thread, record);
    }
    template <class... Task>
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const Task&... task) const {
        return estimates_of(key_of(task...));
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        return measured_reason(chosen, [&](std::size_t fastest) {
            return std::string{fastest == chosen.index
                                   ? "it is fastest for this kind of task"
                                   : "it was fastest for this kind of task then"};
        });
    }
    /// The reason for the choice of `index`, by what its task recorded then.
    [[nodiscard]] static std::string explain(std::size_t index,
                                             const detail::measured_record& record) {
        return detail::recorded_reason(index, record, "it was fastest for this kind of task");
    }

  private:
    /// With a record, compares the settled costs again and chooses by them: another thread may have changed
    /// the costs since it settled the choice.
    template <class Record>
    [[nodiscard, gnu::always_inline]] choice go_by(const detail::cost_kind::settled_choice& settled,
                                                   detail::cached_kind& entry, std::size_t thread,
                                                   [[maybe_unused]] Record record) noexcept {
        std::uint32_t index = settled.index;
        if constexpr (detail::is_record_v<Record>) {
            index = static_cast<std::uint32_t>(
                lowest_recorded(*entry.kind, index, *record, [this](std::size_t i, float cost) {
                    return cost < 0 ? std::numeric_limits<float>::infinity()
                                    : cost * places()[i].alone;
                }).index);
        }
        --entry.untimed;
        counts().add(index, thread);
        return {index, entry.kind->number, settled.term, 0};
    }
    template <class Record>
    [[nodiscard, gnu::noinline]] choice look_up(task_key key, detail::cached_kind* entry,
                                                std::size_t thread, Record record) {
        if (entry != nullptr && entry->key != key) {
            fetch(key, *entry);
            if (const auto settled = this->settled(key, entry); settled.period > 0) {
                return go_by(settled, *entry, thread, record);
            }
        }
        return ask(key, entry, thread, record, {});
    }
    template <class Record>
    [[nodiscard]] choice ask(const task_key& key, detail::cached_kind* entry, std::size_t thread,
                             Record record, std::span<const double> transfers) {
        // The fastest resource is wanted, however much work is before it.
        return *measure(key, entry, thread, record, transfers, nullptr,
                        [](const detail::cost_kind&, double) { return false; });
    }

    template <class F, std::size_t... Is, class Tuple>
    static task_key key_of_first(const F& f, std::index_sequence<Is...>, const Tuple& args) {
        return task_key_of(f, static_cast<const KeyArgs&>(std::get<Is>(args))...);
    }
};

/// Learns how long each kind of task takes on each resource, and uses the fastest, however much work is
/// before it. Use it for unlike resources where one task is outstanding at a time; where several are,
/// `earliest_finish_policy` uses the others too.
///
/// The first run of a callable on a resource is warm-up. A size without timings is predicted from other
/// sizes of the same callable, so that a resource that is far too slow at one size is not tried at the next.
/// A change of the times is found by a statistical test; what was learnt before it is dropped. The other
/// resources are looked at again for about 0.4 % of the work, so that one that has become faster is found.
/// With a `resample_time`, a duration or a number of seconds, everything is measured again after that long.
///
/// A task is booked with its share of the hardware, which others may use too (`domain_of`), and not with its
/// wait behind other tasks.
///
/// **Needs**: `task_time`. What is outstanding counts as far as the backend reports `task_submission`
/// and `task_completion` too; a task of one that reports the time alone counts until the backend drops
/// the selection that it was given. A resource whose times are upper bounds is used like the others,
/// unless `exact_times::required` leaves it out. A callable may state how long its arguments are under way to
/// each resource (`transfers_of`).
/// **Key**: the callable (a plain function, a pointer to member and the target's type of a
/// `std::function` count, captured values do not) and the size class of each argument (bytes of a range,
/// power of two of an integer; a `bool`, `char` or small enumerator by its value; no floating-point
/// number); see `task_key_of` and `size_class`. With `KeyArgs` only of the first arguments, as many as
/// there are `KeyArgs`, each converted to its type. What else makes tasks unlike, say with `named_task`,
/// a `size_class` of your own, or a callable with a `task_key()`.
/// **Throws**: at construction `empty_resource_set`; `invalid_option` for a `resample_time` that
/// `to_resample_time` refuses; `unsatisfied_reporting` where no resource has the exact times that are
/// required. A submission to a frozen policy (`learning_settings::mode`) throws `unknown_kind` for a kind of
/// task without a record, unless there is a default resource.
/// **Thread safety**: all members from any thread; copies share what has been learnt.
/// **Cost**: for tasks under 10 us, while the choice stands, a look into the thread's cache, no lock, no
/// allocation and no clock; one in as many as take 40 us together, at most 1,024, is timed. A timed task takes
/// three locks and two clock reads. With a `resample_time` each task reads the clock once. The cache
/// holds 16 kinds of task, two where their keys collide; a kind that is not in it takes one lock.
/// **Example**: `auto_tune_policy p{{cpu, gpu}};  submit(p, [](auto& r, int n) { ... }, 1000);`
/// Source: *auto_tune_policy* in the dynamic selection document.
template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>, class... KeyArgs>
class auto_tune_policy
    : public detail::rule_policy<auto_tune_policy<Resource, ResourceAdapter, Backend, KeyArgs...>,
                                 auto_tune_rule<KeyArgs...>, ResourceAdapter, Backend> {
  public:
    using duration = std::chrono::nanoseconds;
    using auto_tune_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(auto_tune_policy, learning_settings, exact_times);

static_assert(detail::policy_by_rule<auto_tune_policy<detail::sample_resource>>);

}  // namespace pointsman
