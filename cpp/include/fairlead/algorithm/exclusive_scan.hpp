// SPDX-License-Identifier: Apache-2.0
// The algorithm exclusive_scan.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/functors.hpp"
#include "fairlead/algorithm/host_policy.hpp"
#include "fairlead/algorithm/host_scan.hpp"
#ifndef FAIRLEAD_WITHOUT_OPENCL
#include "fairlead/algorithm/opencl_scan.hpp"
#include "fairlead/execution/device_policy.hpp"
#endif

namespace fairlead {

/// Writes, for each value of [`first`, `last`), `f` of `initial` and of all values before it, to the place
/// from `out` on, which may be the same, and returns the place past the last: see
/// `transform_inclusive_scan`.
template <execution::host_policy P, class In, class Out, class T, class F>
Out exclusive_scan(const P&, In first, In last, Out out, T initial, F f) {
    return detail::scan_on_host<P>(first, static_cast<std::size_t>(last - first), out, f,
                                   identity_value{}, std::optional<T>{initial},
                                   detail::scan_kind::exclusive);
}

#ifndef FAIRLEAD_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, class T,
          device_function F>
Out exclusive_scan(const P& policy, In first, In last, Out out, T initial, F) {
    const auto count = static_cast<std::size_t>(last - first);
    using value = detail::iterated_t<Out>;
    return count == 0 ? out
                      : detail::scan_on_device<value, F, identity_value>(
                            policy.queue(), first, count, out, static_cast<value>(initial),
                            detail::scan_kind::exclusive);
}
#endif

/// The sums.
template <class P, class In, class Out, class T>
    requires is_execution_policy_v<P>
Out exclusive_scan(const P& policy, In first, In last, Out out, T initial) {
    return fairlead::exclusive_scan(policy, first, last, out, initial, plus{});
}

FAIRLEAD_TAKES_AUTO_POLICY(exclusive_scan);

}  // namespace fairlead
