// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, including the value at each index.
#pragma once

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/transform_inclusive_scan.hpp"
#include "pointsman/execution/auto_reach.hpp"

namespace pointsman {

/// For each value of [`first`, `last`), writes the fold by `f` of `initial` (if given) and all values up
/// to and including it. The type of the fold is that of `initial`, or of the values without it. See
/// `transform_inclusive_scan`.
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
/// Writes prefix sums: like `inclusive_scan` above, with `plus` as `f`.
template <execution::placing_policy P, class In, class Out>
Out inclusive_scan(const P& policy, In first, In last, Out out) {
    return pointsman::inclusive_scan(policy, first, last, out, plus{});
}

POINTSMAN_TAKES_AUTO_POLICY(inclusive_scan);

}  // namespace pointsman
