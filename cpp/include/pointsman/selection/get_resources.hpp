// SPDX-License-Identifier: Apache-2.0
// The free function get_resources.
#pragma once

#include "pointsman/policy/policy.hpp"

namespace pointsman {

/// The set of resources from which `p` chooses.
/// **Throws**: `not_initialized`.
template <class P>
    requires policy<std::decay_t<P>>
[[nodiscard]] auto get_resources(P&& p) {
    return p.get_resources();
}

}  // namespace pointsman
