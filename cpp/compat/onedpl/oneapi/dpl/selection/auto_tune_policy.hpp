// SPDX-License-Identifier: Apache-2.0
// The policy that measures its resources on each kind of task and uses the best.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ratio>

#include "oneapi/dpl/selection/adapted_policy.hpp"
#include "oneapi/dpl/selection/execution_info.hpp"
#include "pointsman/backend/backend_base.hpp"
#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/tuning/resample_time.hpp"

namespace oneapi::dpl::experimental {
namespace detail {

/// The time after which the policy measures again: milliseconds if it is an integer, otherwise seconds.
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

/// The setting of the rule, converted from such a number.
struct resample_setting {
    std::chrono::nanoseconds time = pointsman::never_resample;

    resample_setting() = default;
    template <resample_number Number>
    resample_setting(Number number) : time{resample_duration(number)} {}
};

/// Pointsman's rule with oneDPL's settings.
template <class... KeyArgs>
class auto_tune_rule : public pointsman::auto_tune_rule<KeyArgs...> {
  public:
    using settings = pointsman::detail::rule_settings<resample_setting>;

    explicit auto_tune_rule(std::size_t size, resample_setting resample = {})
        : pointsman::auto_tune_rule<KeyArgs...>{size, resample.time} {}
};

}  // namespace detail

/// `pointsman::auto_tune_policy` over any backend that reports `task_time`. The time after which it
/// measures again is in milliseconds if it is an integer, and in seconds if it is a floating-point
/// number: both 500 and 0.5 are half a second. `never_resample`, which is zero, disables this.
/// **Throws**: `pointsman::invalid_option` for a time that is negative, infinite or not a number.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>, class... KeyArgs>
class auto_tune_policy
    : public detail::adapted_policy<detail::auto_tune_rule<KeyArgs...>, ResourceAdapter, Backend,
                                    execution_info::task_time_t> {
    static_assert(
        !pointsman::detail::submits_unreported<Backend>,
        "auto_tune_policy needs a backend that reports execution_info::task_time: give it a "
        "submit(selection, f, args...) that does, or use default_backend, or a policy that "
        "needs no reports");

  public:
    using duration = std::chrono::nanoseconds;
    static constexpr std::uint64_t never_resample = 0;

    using auto_tune_policy::adapted_policy::adapted_policy;
};
POINTSMAN_GUIDES_FOR_RESOURCES(auto_tune_policy, detail::resample_setting);

}  // namespace oneapi::dpl::experimental
