// SPDX-License-Identifier: Apache-2.0
// The algorithm any_of.
#pragma once

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/find_if.hpp"
#include "fairlead/execution/is_execution_policy.hpp"

namespace fairlead {

/// Whether `predicate` holds for some value of [`first`, `last`); false where there is none.
/// Otherwise as `find_if`.
template <class P, class It, class Predicate>
    requires is_execution_policy_v<P>
bool any_of(const P& policy, It first, It last, Predicate predicate) {
    return fairlead::find_if(policy, first, last, predicate) != last;
}

FAIRLEAD_TAKES_AUTO_POLICY(any_of);

}  // namespace fairlead
