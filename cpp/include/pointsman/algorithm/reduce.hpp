// SPDX-License-Identifier: Apache-2.0
// Sums, or other folds, of a range, computed in any order so that threads and devices can share them.
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
/// The error of a sum of n floating values of the same sign is at most (2 log2(n) + 64) units in the last
/// place on the host, and (n / 65,536 + 1,300) on a device. The same values give
/// the same sum in every run; under a parallel policy, for any number of threads.
/// **Throws**: like `transform_reduce`.
/// **Example**: `const double sum = pointsman::reduce(pointsman::execution::par, x.begin(), x.end(), 0.0);`
template <execution::placing_policy P, class It, class T, class F>
T reduce(const P& policy, It first, It last, T initial, F f) {
    return pointsman::transform_reduce(policy, first, last, initial, f, identity_value{});
}
/// Returns the sum: like `reduce` above, with `plus` as `f`.
template <execution::placing_policy P, class It, class T>
T reduce(const P& policy, It first, It last, T initial) {
    return pointsman::reduce(policy, first, last, initial, plus{});
}

POINTSMAN_TAKES_AUTO_POLICY(reduce);

}  // namespace pointsman
