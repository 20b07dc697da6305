// SPDX-License-Identifier: Apache-2.0
// Moves a range to memory without objects, on the host.
#pragma once

#include <iterator>
#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"

namespace pointsman {

/// Moves each value of [`first`, `last`) to the memory without objects that begins at `out`, which must not
/// overlap the input, and returns the end of the output. Blocks until complete. There is no form for
/// devices, whose values need no construction. An exception from a constructor ends the program, as the
/// standard requires.
template <execution::host_policy P, class In, class Out>
Out uninitialized_move(const P& policy, In first, In last, Out out) {
    detail::in_parts(policy, first, last, [&](In begin, In end) {
        std::uninitialized_move(begin, end, std::next(out, std::distance(first, begin)));
    });
    return std::next(out, std::distance(first, last));
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_move);

}  // namespace pointsman
