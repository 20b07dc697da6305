// SPDX-License-Identifier: Apache-2.0
// The algorithm for_each_n.
#pragma once

#include <algorithm>
#include <utility>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/host_policy.hpp"

namespace fairlead {

/// Calls `f` with each of `count` values from `first` on, and returns the place past the last: see `for_each`.
template <execution::host_policy P, class It, class Size, class F>
It for_each_n(const P& policy, It first, Size count, F f) {
    return std::for_each_n(detail::standard(policy), first, count, std::move(f));
}

FAIRLEAD_TAKES_AUTO_POLICY(for_each_n);

}  // namespace fairlead
