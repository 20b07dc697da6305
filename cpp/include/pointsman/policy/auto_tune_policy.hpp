// SPDX-License-Identifier: Apache-2.0
// The policy that measures its resources on each kind of task and uses the best.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pointsman/info/execution_info.hpp"
#include "pointsman/policy/detail/cached_tuners.hpp"
#include "pointsman/policy/detail/measured_reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/striped_loads.hpp"
#include "pointsman/policy/exact_times.hpp"

namespace pointsman {

/// The rule of `auto_tune_policy`, for `size` resources.
template <class... KeyArgs>
class auto_tune_rule {
  public:
    static constexpr auto name = "auto_tune";
    using duration = std::chrono::nanoseconds;
    using settings = detail::rule_settings<tuner_settings, exact_times>;
    using reports = detail::needed_reports<execution_info::task_time_t>;

    explicit auto_tune_rule(std::size_t size, tuner_settings learning = never_resample,
                            exact_times = exact_times::preferred)
        : loads_{size}, tuners_{size, learning} {}

    template <class AnyBackend>
    static void prepare(AnyBackend& backend, const tuner_settings&, exact_times times) {
        detail::leave_out_inexact(backend, times);
    }

    struct choice {
        std::uint32_t index;
        std::uint16_t term;
        bool timed;
        bool contended;
        locked_tuner* tuner;
    };
    static_assert(sizeof(choice) <= 16, "travels in two registers");
    /// The resource for a task; counts it there.
    template <class... Task>
    [[nodiscard, gnu::always_inline]] choice choose(std::size_t thread, const Task&... task) {
        static_assert(sizeof...(Task) > 0,
                      "this policy looks at the task: pass select(policy, f, args...) what will "
                      "be submitted");
        const task_key key = key_of(task...);
        auto* const place = tuners_.place_of(key, thread);
        if (place != nullptr && place->untimed > 0 && place->key == key && tuners_.is_fresh(*place))
            [[likely]] {
            const auto [tuner, term] = place->tuner;
            const auto steady = tuner->steady();
            if (steady.period > 0 && steady.term == term) [[likely]] {
                return go_by(steady, *place, thread);
            }
        }
        return look_up(key, place, thread);
    }
    template <class... Task>
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const Task&... task) {
        return tuners_.estimates(key_of(task...), loads_.size());
    }
    [[nodiscard]] bool wants_time(const choice& chosen) const noexcept { return chosen.timed; }
    void add(const choice& chosen) {
        loads_.add(chosen.index, detail::hazard_registry::thread());
        if (chosen.timed) {
            tuner_of(chosen).with([&](tuner& t) { t.reserve(chosen.index); });
        }
    }
    void learn(const choice& chosen, duration time, bool exact) {
        if (chosen.timed) {
            const auto now = tuners_.now();
            tuner_of(chosen).with(
                [&](tuner& t) { t.add(chosen.index, time, {exact, chosen.contended}, now); });
        }
    }
    void fail(const choice& chosen) {
        tuner_of(chosen).with([&](tuner& t) { t.fail(chosen.index); });
    }
    [[gnu::always_inline]] void give_back(const choice& chosen) {
        if (chosen.timed) [[unlikely]] {
            release(chosen);
        }
        loads_.subtract(chosen.index, detail::hazard_registry::thread());
    }
    [[nodiscard]] std::string explain(const choice& chosen) const {
        const auto fastest = [&](const tuner& t) {
            return std::string{t.best() == chosen.index
                                   ? "it is fastest for this kind of task"
                                   : "it was fastest for this kind of task then"};
        };
        return detail::measured_reason(tuner_of(chosen), chosen.index, chosen.timed, fastest);
    }
    /// The choice of `index` for a task, as far as it can still be told, for `explain`.
    template <class... Task>
    [[nodiscard]] choice recall(std::size_t index, bool timed, const Task&... task) {
        const auto found = tuners_.find(key_of(task...));
        return {static_cast<std::uint32_t>(index), found.term, timed, false, found.tuner};
    }

    [[nodiscard]] std::vector<std::size_t> loads() const { return loads_.loads(); }

  private:
    [[nodiscard, gnu::always_inline]] choice go_by(const locked_tuner::steady_choice& steady,
                                                   detail::cached_tuner& place,
                                                   std::size_t thread) noexcept {
        --place.untimed;
        loads_.add(steady.index, thread);
        return {steady.index, steady.term, false, false, place.tuner.tuner};
    }

    [[nodiscard, gnu::noinline]] choice look_up(task_key key, detail::cached_tuner* place,
                                                std::size_t thread) {
        if (place != nullptr && place->key != key) {
            tuners_.fetch(key, *place);
            const auto steady = place->tuner.tuner->steady();
            if (place->untimed > 0 && steady.period > 0 && steady.term == place->tuner.term) {
                return go_by(steady, *place, thread);
            }
        }
        return measure(key, place, thread);
    }

    /// Asks the tuner, and keeps it at hand in `place`.
    [[nodiscard]] choice measure(task_key key, detail::cached_tuner* place, std::size_t thread) {
        std::uint32_t index = 0;
        const auto found = tuners_.ask(key, place, [&](tuner& t, duration now) {
            index = static_cast<std::uint32_t>(t.choose(now));
        });
        const std::size_t load = loads_.load(index);
        if (const auto steady = found.tuner->steady(); place != nullptr && steady.period > 0) {
            place->untimed = std::max<std::uint32_t>(steady.period, burst_period(load)) - 1U;
        }
        loads_.add(index, thread);
        return {index, found.term, true, load != 0, found.tuner};
    }
    /// Tasks that are outstanding together have one fate: one of as many is timed, or of `longest`.
    [[nodiscard]] static std::uint32_t burst_period(std::size_t load) noexcept {
        constexpr std::size_t longest = 64;
        return static_cast<std::uint32_t>(std::clamp<std::size_t>(load, 1, longest));
    }
    static tuner_in_term tuner_of(const choice& chosen) noexcept {
        return {chosen.tuner, chosen.term};
    }
    [[gnu::noinline]] static void release(choice chosen) {
        tuner_of(chosen).with([&](tuner& t) { t.release(chosen.index); });
    }

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
    template <class F, std::size_t... Is, class Tuple>
    static task_key key_of_first(const F& f, std::index_sequence<Is...>, const Tuple& args) {
        return task_key_of(f, static_cast<const KeyArgs&>(std::get<Is>(args))...);
    }

    striped_loads loads_;
    detail::cached_tuners tuners_;
};

/// Measures each kind of task on each resource, twice, of which the first run is warm-up, then uses
/// the best; with a `resample_time`, a duration or a number of seconds, it measures again after that
/// long. Use it for unlike resources.
///
/// **Needs**: `task_time`. What is outstanding counts as far as the backend reports `task_submission`
/// and `task_completion` too; a task of one that reports the time alone counts until the backend drops
/// the selection that it was given. A resource whose times are upper bounds is used like the others,
/// unless `exact_times::required` leaves it out.
/// **Key**: the callable (a plain function, a pointer to member and the target's type of a
/// `std::function` count, captured values do not) and the size class of each argument (bytes of a range,
/// power of two of an integer; a `bool`, `char` or small enumerator by its value; no floating-point
/// number); see `task_key_of` and `size_class`. With `KeyArgs` only of the first arguments, as many as
/// there are `KeyArgs`, each converted to its type. What else makes tasks unlike, say with `named_task`,
/// a `size_class` of your own, or a callable with a `task_key()`.
/// **Throws**: at construction `empty_resource_set`; `invalid_option` for a `resample_time` that
/// `to_resample_time` refuses; `unsatisfied_reporting` where no resource has the exact times that are
/// required.
/// **Thread safety**: all members from any thread; copies share what has been learnt.
/// **Cost**: while the choice stands, a look into the thread's cache, no lock, no allocation and no
/// clock; one submission in `tuner::sampling_period()`, or in as many as are outstanding on the resource, up
/// to 64, takes three locks and two clock reads. With a `resample_time` each reads the clock once. The
/// cache holds 16 kinds of task, two where their keys collide; a kind that is not in it takes one lock.
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
POINTSMAN_POLICY_GUIDES(auto_tune_policy, tuner_settings, exact_times);

static_assert(detail::policy_by_rule<auto_tune_policy<detail::sample_resource>>);

}  // namespace pointsman
