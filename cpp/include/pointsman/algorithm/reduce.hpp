// SPDX-License-Identifier: Apache-2.0
// Sums, or other folds, of a range in any order.
#pragma once

#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/reduction.hpp"
#include "pointsman/algorithm/transform_reduce.hpp"

namespace pointsman {

/// Returns the fold by `f` of `initial` and all values of [`first`, `last`), in any order and grouping:
/// `f` must be associative and commutative, up to rounding. Blocks until complete.
///
/// The sum of n floating values of one sign is off by no more than (2 log2(n) + 64) units in the last
/// place on the host, and on a device by (n / 65,536 + 1,300).
/// **Throws**: as `transform_reduce`.
/// **Example**: `const double sum = pointsman::reduce(pointsman::execution::par, x.begin(), x.end(), 0.0);`
template <execution::placing_policy P, class It, class T, class F>
T reduce(const P& policy, It first, It last, T initial, F f) {
    return pointsman::transform_reduce(policy, first, last, initial, f, identity_value{});
}
/// The sum.
template <execution::placing_policy P, class It, class T>
T reduce(const P& policy, It first, It last, T initial) {
    return pointsman::reduce(policy, first, last, initial, plus{});
}

POINTSMAN_TAKES_AUTO_POLICY(reduce);

}  // namespace pointsman
