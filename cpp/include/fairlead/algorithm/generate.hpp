// SPDX-License-Identifier: Apache-2.0
// The algorithm generate.
#pragma once

#include <algorithm>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/host_stretches.hpp"

namespace fairlead {

/// Writes what `f()` returns to each place of [`first`, `last`); in parallel, threads call it at once.
/// Blocks until all is done. What `f` throws ends the program, as the standard has it.
template <execution::host_policy P, class It, class F>
void generate(const P& policy, It first, It last, F f) {
    detail::in_stretches(policy, first, last, [&](const auto& standard, It begin, It end) {
        std::generate(standard, begin, end, f);
    });
}

FAIRLEAD_TAKES_AUTO_POLICY(generate);

}  // namespace fairlead
