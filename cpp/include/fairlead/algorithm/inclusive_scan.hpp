// SPDX-License-Identifier: Apache-2.0
// The algorithm inclusive_scan.
#pragma once

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/functors.hpp"
#include "fairlead/algorithm/transform_inclusive_scan.hpp"
#include "fairlead/execution/is_execution_policy.hpp"

namespace fairlead {

/// Writes, for each value of [`first`, `last`), `f` of `initial` (where it is given) and of all values up to
/// it: see `transform_inclusive_scan`.
/// **Example**: `fairlead::inclusive_scan(fairlead::execution::par, x.begin(), x.end(), sums.begin());`
template <class P, class In, class Out, class F, class T>
    requires is_execution_policy_v<P>
Out inclusive_scan(const P& policy, In first, In last, Out out, F f, T initial) {
    return fairlead::transform_inclusive_scan(policy, first, last, out, f, identity_value{},
                                              initial);
}
template <class P, class In, class Out, class F>
    requires is_execution_policy_v<P>
Out inclusive_scan(const P& policy, In first, In last, Out out, F f) {
    return fairlead::transform_inclusive_scan(policy, first, last, out, f, identity_value{});
}
/// The sums.
template <class P, class In, class Out>
    requires is_execution_policy_v<P>
Out inclusive_scan(const P& policy, In first, In last, Out out) {
    return fairlead::inclusive_scan(policy, first, last, out, plus{});
}

FAIRLEAD_TAKES_AUTO_POLICY(inclusive_scan);

}  // namespace fairlead
