// SPDX-License-Identifier: Apache-2.0
// Default-initializes objects in memory without objects, on the host.
#pragma once

#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"

namespace pointsman {

/// Constructs an object by default-initialization in each place of [`first`, `last`), memory without
/// objects: numbers keep an undefined value. Blocks until complete. There is no form for devices, whose
/// values need no construction. An exception from a constructor ends the program, as the standard requires.
template <execution::host_policy P, class It>
void uninitialized_default_construct(const P& policy, It first, It last) {
    detail::in_parts(policy, first, last,
                     [&](It begin, It end) { std::uninitialized_default_construct(begin, end); });
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_default_construct);

}  // namespace pointsman
