// SPDX-License-Identifier: Apache-2.0
// Copies a range to memory without objects, on the host.
#pragma once

#include <iterator>
#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"

namespace pointsman {

/// Constructs a copy of each value of [`first`, `last`) in the memory without objects that begins at `out`,
/// which must not overlap the input, and returns the end of the output. Blocks until complete. There is no
/// form for devices, whose values need no construction. An exception from a constructor ends the program,
/// as the standard requires.
template <execution::host_policy P, class In, class Out>
Out uninitialized_copy(const P& policy, In first, In last, Out out) {
    detail::in_parts(policy, first, last, [&](In begin, In end) {
        std::uninitialized_copy(begin, end, std::next(out, std::distance(first, begin)));
    });
    return std::next(out, std::distance(first, last));
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_copy);

}  // namespace pointsman
