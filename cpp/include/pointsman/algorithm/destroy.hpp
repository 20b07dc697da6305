// SPDX-License-Identifier: Apache-2.0
// Destroys the objects of a range, on the host.
#pragma once

#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"

namespace pointsman {

/// Calls the destructor of each object of [`first`, `last`). Blocks until complete. There is no form for
/// devices, whose values need no destruction.
template <execution::host_policy P, class It>
void destroy(const P& policy, It first, It last) {
    detail::in_parts(policy, first, last, [&](It begin, It end) { std::destroy(begin, end); });
}

POINTSMAN_TAKES_AUTO_POLICY(destroy);

}  // namespace pointsman
