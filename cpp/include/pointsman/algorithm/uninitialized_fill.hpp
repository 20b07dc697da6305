// SPDX-License-Identifier: Apache-2.0
// Constructs copies of one value in memory without objects, on the host.
#pragma once

#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"

namespace pointsman {

/// Constructs a copy of `value` in each place of [`first`, `last`), memory without objects. Blocks until
/// complete. There is no form for devices, whose values need no construction. An exception from a
/// constructor ends the program, as the standard requires.
template <execution::host_policy P, class It, class T>
void uninitialized_fill(const P& policy, It first, It last, const T& value) {
    detail::in_parts(policy, first, last,
                     [&](It begin, It end) { std::uninitialized_fill(begin, end, value); });
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_fill);

}  // namespace pointsman
