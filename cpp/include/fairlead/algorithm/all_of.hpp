// SPDX-License-Identifier: Apache-2.0
// The algorithm all_of.
#pragma once

#include <cstddef>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/count_if.hpp"
#include "fairlead/execution/is_execution_policy.hpp"

namespace fairlead {

/// Whether `predicate` holds for every value of [`first`, `last`); true where there is none.
/// Otherwise as `count_if`.
template <class P, class It, class Predicate>
    requires is_execution_policy_v<P>
bool all_of(const P& policy, It first, It last, Predicate predicate) {
    return fairlead::count_if(policy, first, last, predicate) == last - first;
}

FAIRLEAD_TAKES_AUTO_POLICY(all_of);

}  // namespace fairlead
