// SPDX-License-Identifier: Apache-2.0
// The algorithm inclusive_scan.
#pragma once

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/functors.hpp"
#include "fairlead/algorithm/transform_inclusive_scan.hpp"
#include "fairlead/execution/auto_reach.hpp"

namespace fairlead {

/// Writes, for each value of [`first`, `last`), `f` of `initial` (where it is given) and of all values up to
/// it, folded in the type of `initial`, else of the values: see `transform_inclusive_scan`.
/// **Example**: `fairlead::inclusive_scan(fairlead::execution::par, x.begin(), x.end(), sums.begin());`
template <execution::placing_policy P, class In, class Out, class F, class T>
Out inclusive_scan(const P& policy, In first, In last, Out out, F f, T initial) {
    return fairlead::transform_inclusive_scan(policy, first, last, out, f, identity_value{},
                                              initial);
}
template <execution::placing_policy P, class In, class Out, class F>
Out inclusive_scan(const P& policy, In first, In last, Out out, F f) {
    return fairlead::transform_inclusive_scan(policy, first, last, out, f, identity_value{});
}
/// The sums.
template <execution::placing_policy P, class In, class Out>
Out inclusive_scan(const P& policy, In first, In last, Out out) {
    return fairlead::inclusive_scan(policy, first, last, out, plus{});
}

FAIRLEAD_TAKES_AUTO_POLICY(inclusive_scan);

}  // namespace fairlead
