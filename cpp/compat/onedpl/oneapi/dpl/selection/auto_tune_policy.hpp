// SPDX-License-Identifier: Apache-2.0
// The policy that measures its resources on each kind of task and uses the best.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ratio>
#include <utility>
#include <vector>

#include "oneapi/dpl/selection/adapted_backend.hpp"
#include "oneapi/dpl/selection/functions.hpp"
#include "pointsman/backend/backend_base.hpp"
#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/tuning/resample_time.hpp"

namespace oneapi::dpl::experimental {
namespace detail {

/// After how long the policy measures again: a whole number counts milliseconds, any other seconds.
template <class T>
concept resample_number = std::integral<T> || std::floating_point<T>;

/// **Throws**: what `pointsman::to_resample_time` throws.
template <resample_number Number>
std::chrono::nanoseconds resample_duration(Number number) {
    if constexpr (std::integral<Number>) {
        return pointsman::to_resample_time(std::chrono::duration<Number, std::milli>{number});
    } else {
        return pointsman::to_resample_time(number);
    }
}

}  // namespace detail

/// `pointsman::auto_tune_policy` over any backend that reports `task_time`. The time after which it
/// measures again is in milliseconds when it is an integer, and in seconds when it is a floating-point
/// number: both 500 and 0.5 are half a second. `never_resample`, which is zero, never does.
/// **Throws**: `pointsman::invalid_option` for a time that is negative, endless or not a number.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>, class... KeyArgs>
class auto_tune_policy
    : public pointsman::auto_tune_policy<
          Resource, ResourceAdapter,
          detail::adapted_backend_t<Backend, ResourceAdapter, execution_info::task_time_t>,
          KeyArgs...> {
    using base = pointsman::auto_tune_policy<
        Resource, ResourceAdapter,
        detail::adapted_backend_t<Backend, ResourceAdapter, execution_info::task_time_t>,
        KeyArgs...>;

    static_assert(
        !pointsman::detail::submits_unreported<Backend>,
        "auto_tune_policy needs a backend that reports execution_info::task_time: give it a "
        "submit(selection, f, args...) that does, or take default_backend, or a policy that "
        "needs no reports");

  public:
    using typename base::duration;
    using typename base::resource_type;
    using backend_type = Backend;
    static constexpr std::uint64_t never_resample = 0;

    /// What a selection or a submission says of its policy, which shares its state with this.
    template <std::same_as<base> Shared>
    auto_tune_policy(const Shared& shared) : base{shared} {}
    explicit auto_tune_policy(deferred_initialization_t tag) : base{tag} {}
    auto_tune_policy() : auto_tune_policy{never_resample} {}
    template <detail::resample_number Number>
    explicit auto_tune_policy(Number resample_time)
        : base{detail::resample_duration(resample_time)} {}
    explicit auto_tune_policy(const std::vector<resource_type>& resources)
        : auto_tune_policy{resources, never_resample} {}
    template <detail::resample_number Number>
    auto_tune_policy(const std::vector<resource_type>& resources, Number resample_time)
        : base{resources, detail::resample_duration(resample_time)} {}
    auto_tune_policy(const std::vector<resource_type>& resources, ResourceAdapter adapter)
        : auto_tune_policy{resources, std::move(adapter), never_resample} {}
    template <detail::resample_number Number>
    auto_tune_policy(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                     Number resample_time)
        : base{resources, std::move(adapter), detail::resample_duration(resample_time)} {}

    /// Takes the default set. A template, so that `{3}` is a set of resources and not a time.
    void initialize() { initialize(never_resample); }
    template <detail::resample_number Number>
    void initialize(Number resample_time) {
        base::initialize(detail::resample_duration(resample_time));
    }
    /// Takes `resources`; a second call replaces them and forgets what was learnt.
    void initialize(const std::vector<resource_type>& resources) {
        initialize(resources, never_resample);
    }
    template <detail::resample_number Number>
    void initialize(const std::vector<resource_type>& resources, Number resample_time) {
        base::initialize(resources, detail::resample_duration(resample_time));
    }
    void initialize(const std::vector<resource_type>& resources, ResourceAdapter adapter) {
        initialize(resources, std::move(adapter), never_resample);
    }
    template <detail::resample_number Number>
    void initialize(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                    Number resample_time) {
        base::initialize(resources, std::move(adapter), detail::resample_duration(resample_time));
    }
};

template <class Resource>
auto_tune_policy(const std::vector<Resource>&) -> auto_tune_policy<Resource>;
template <pointsman::detail::listed_resource Resource>
auto_tune_policy(std::initializer_list<Resource>) -> auto_tune_policy<Resource>;
template <class Resource, detail::resample_number Number>
auto_tune_policy(const std::vector<Resource>&, Number) -> auto_tune_policy<Resource>;
template <pointsman::detail::listed_resource Resource, detail::resample_number Number>
auto_tune_policy(std::initializer_list<Resource>, Number) -> auto_tune_policy<Resource>;
template <class Resource, class Adapter, detail::resample_number Number = std::uint64_t>
    requires(!detail::resample_number<Adapter>)
auto_tune_policy(const std::vector<Resource>&, Adapter, Number = 0)
    -> auto_tune_policy<Resource, Adapter>;
template <pointsman::detail::listed_resource Resource, class Adapter,
          detail::resample_number Number = std::uint64_t>
    requires(!detail::resample_number<Adapter>)
auto_tune_policy(std::initializer_list<Resource>, Adapter, Number = 0)
    -> auto_tune_policy<Resource, Adapter>;

}  // namespace oneapi::dpl::experimental
