// SPDX-License-Identifier: Apache-2.0
// The policy that measures its resources on each kind of task and uses the best.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/detail/cached_tuners.hpp"
#include "pointsman/policy/detail/striped_loads.hpp"
#include "pointsman/policy/exact_times.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/policy_base.hpp"
#include "pointsman/policy/policy_state.hpp"
#include "pointsman/policy/selection.hpp"

namespace pointsman {

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
    : public policy_base<auto_tune_policy<Resource, ResourceAdapter, Backend, KeyArgs...>,
                         ResourceAdapter, Backend, execution_info::task_time_t> {
    using base =
        policy_base<auto_tune_policy, ResourceAdapter, Backend, execution_info::task_time_t>;

  public:
    using typename base::resource_type;
    using duration = std::chrono::nanoseconds;
    using selection_type = typename base::state_selection;

    class state_type {
      public:
        explicit state_type(const std::vector<resource_type>& resources,
                            tuner_settings settings = never_resample,
                            exact_times = exact_times::preferred)
            : loads_{resources.size()}, tuners_{resources.size(), settings} {}

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
            static_assert(
                sizeof...(Task) > 0,
                "this policy looks at the task: pass select(policy, f, args...) what will "
                "be submitted");
            const task_key key = key_of(task...);
            auto* const place = tuners_.place_of(key, thread);
            if (place != nullptr && place->untimed > 0 && place->key == key &&
                tuners_.is_fresh(*place)) [[likely]] {
                const auto [tuner, term] = place->tuner;
                const auto steady = tuner->steady();
                if (steady.period > 0 && steady.term == term) [[likely]] {
                    return go_by(steady, *place, thread);
                }
            }
            return look_up(key, place, thread);
        }
        template <class... Task>
        [[nodiscard]] auto estimates(const Task&... task) {
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
        [[nodiscard]] const striped_loads& table() const noexcept { return loads_; }

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
        [[nodiscard]] choice measure(task_key key, detail::cached_tuner* place,
                                     std::size_t thread) {
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
                static_assert(
                    sizeof...(KeyArgs) <= sizeof...(Args),
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

    explicit auto_tune_policy(deferred_initialization_t) {}
    template <time_span Time = duration>
    explicit auto_tune_policy(Time resample_time = {}, exact_times times = exact_times::preferred) {
        base::initialize(resample_time, times);
    }
    template <time_span Time = duration>
    explicit auto_tune_policy(const std::vector<resource_type>& resources, Time resample_time = {},
                              exact_times times = exact_times::preferred) {
        base::initialize(resources, resample_time, times);
    }
    template <time_span Time = duration>
    auto_tune_policy(const std::vector<resource_type>& resources,
                     std::type_identity_t<ResourceAdapter> adapter, Time resample_time = {},
                     exact_times times = exact_times::preferred) {
        base::initialize(resources, std::move(adapter), resample_time, times);
    }

    /// What is known of the time of a task (a function and its arguments, as for `submit`) on each
    /// resource; empty where nothing is.
    template <class... Task>
    [[nodiscard]] std::vector<std::optional<duration>> estimates(const Task&... task) const {
        return this->backend_.current()->set->state.estimates(task...);
    }

    /// Outstanding submissions by resource.
    [[nodiscard]] std::vector<std::size_t> loads() const {
        return this->backend_.current()->set->state.table().loads();
    }
};

template <class Resource, time_span Time = std::chrono::nanoseconds>
auto_tune_policy(const std::vector<Resource>&, Time = {}, exact_times = {})
    -> auto_tune_policy<Resource>;
template <detail::listed_resource Resource, time_span Time = std::chrono::nanoseconds>
auto_tune_policy(std::initializer_list<Resource>, Time = {}, exact_times = {})
    -> auto_tune_policy<Resource>;
template <class Resource, class Adapter, time_span Time = std::chrono::nanoseconds>
    requires(!time_span<Adapter>)
auto_tune_policy(const std::vector<Resource>&, Adapter, Time = {}, exact_times = {})
    -> auto_tune_policy<Resource, Adapter>;
template <detail::listed_resource Resource, class Adapter,
          time_span Time = std::chrono::nanoseconds>
    requires(!time_span<Adapter>)
auto_tune_policy(std::initializer_list<Resource>, Adapter, Time = {}, exact_times = {})
    -> auto_tune_policy<Resource, Adapter>;

static_assert(policy<auto_tune_policy<detail::sample_resource>> &&
              policy_state<auto_tune_policy<detail::sample_resource>::state_type> &&
              selection<auto_tune_policy<detail::sample_resource>::selection_type>);

}  // namespace pointsman
