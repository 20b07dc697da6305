// SPDX-License-Identifier: Apache-2.0
// The algorithm for_each.
#pragma once

#include <algorithm>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/host_stretches.hpp"

namespace fairlead {

/// Calls `f` with each value of [`first`, `last`), which it may change. Blocks until all is done. On a
/// device, where a function only returns, `transform` does this in place.
///
/// What `f` throws ends the program, as the standard has it.
template <execution::host_policy P, class It, class F>
void for_each(const P& policy, It first, It last, F f) {
    detail::in_stretches(policy, first, last, [&](const auto& standard, It begin, It end) {
        std::for_each(standard, begin, end, f);
    });
}

FAIRLEAD_TAKES_AUTO_POLICY(for_each);

}  // namespace fairlead
