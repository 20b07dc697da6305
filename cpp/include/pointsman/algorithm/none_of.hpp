// SPDX-License-Identifier: Apache-2.0
// Tests on host or device whether a predicate holds for no value of a range.
#pragma once

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/execution/auto_reach.hpp"

namespace pointsman {

/// Returns true if `predicate` holds for no value of [`first`, `last`). Otherwise like
/// `find_if`.
template <execution::placing_policy P, class It, class Predicate>
bool none_of(const P& policy, It first, It last, Predicate predicate) {
    return pointsman::find_if(policy, first, last, predicate) == last;
}

POINTSMAN_TAKES_AUTO_POLICY(none_of);

}  // namespace pointsman
