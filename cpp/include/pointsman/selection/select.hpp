// SPDX-License-Identifier: Apache-2.0
// Chooses a resource without submitting work to it.
#pragma once

#include <utility>

#include "pointsman/policy/policy.hpp"

namespace pointsman {

/// Applies the policy's rule to `args...` (for a policy that inspects the task: the function and its
/// arguments) and returns the selection, for code that manages its own submission. The selection counts
/// as load until it is reported complete, until its submission is complete, or until it is dropped.
/// Source: *Free Functions* in the dynamic selection document.
template <class P, class... Args>
    requires policy<std::decay_t<P>>
[[nodiscard]] auto select(P&& p, const Args&... args) {
    return p.select(args...);
}

}  // namespace pointsman
