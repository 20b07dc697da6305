// SPDX-License-Identifier: Apache-2.0
// Returns the resources that a policy chooses from.
#pragma once

#include "pointsman/policy/policy.hpp"

namespace pointsman {

/// Returns the set of resources that `p` chooses from.
/// **Throws**: `not_initialized`.
template <class P>
    requires policy<std::decay_t<P>>
[[nodiscard]] auto get_resources(P&& p) {
    return p.get_resources();
}

}  // namespace pointsman
