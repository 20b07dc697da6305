// SPDX-License-Identifier: Apache-2.0
// Tests on host or device whether a range is sorted.
#pragma once

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/is_sorted_until.hpp"
#include "pointsman/execution/auto_reach.hpp"

namespace pointsman {

/// Returns true if `compare` orders no value of [`first`, `last`) before the value in front of it.
/// Otherwise like `is_sorted_until`.
template <execution::placing_policy P, class It, class Compare>
bool is_sorted(const P& policy, It first, It last, Compare compare) {
    return pointsman::is_sorted_until(policy, first, last, compare) == last;
}

/// Like `is_sorted` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
bool is_sorted(const P& policy, It first, It last) {
    return pointsman::is_sorted(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(is_sorted);

}  // namespace pointsman
