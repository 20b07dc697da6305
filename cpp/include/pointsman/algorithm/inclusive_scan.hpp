// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, including the value at each index.
#pragma once

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/execution/auto_reach.hpp"

namespace pointsman {

/// Writes, for each value of [`first`, `last`), the fold by `f` of `initial` (if given) and all values
/// up to it, in the type of `initial`, otherwise of the values: see `transform_inclusive_scan`.
/// **Example**: `pointsman::inclusive_scan(pointsman::execution::par, x.begin(), x.end(), sums.begin());`
template <execution::placing_policy P, class In, class Out, class F, class T>
Out inclusive_scan(const P& policy, In first, In last, Out out, F f, T initial) {
    return pointsman::transform_inclusive_scan(policy, first, last, out, f, identity_value{},
                                               initial);
}
template <execution::placing_policy P, class In, class Out, class F>
Out inclusive_scan(const P& policy, In first, In last, Out out, F f) {
    return pointsman::transform_inclusive_scan(policy, first, last, out, f, identity_value{});
}
/// Prefix sums.
template <execution::placing_policy P, class In, class Out>
Out inclusive_scan(const P& policy, In first, In last, Out out) {
    return pointsman::inclusive_scan(policy, first, last, out, plus{});
}

POINTSMAN_TAKES_AUTO_POLICY(inclusive_scan);

}  // namespace pointsman
