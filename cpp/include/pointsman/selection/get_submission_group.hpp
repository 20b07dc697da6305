// SPDX-License-Identifier: Apache-2.0
// Returns an object that waits for all submissions of a policy.
#pragma once

#include "pointsman/policy/policy.hpp"

namespace pointsman {

/// Returns an object whose `wait()` blocks until all submissions of `p` so far are complete.
/// **Throws**: `not_initialized`.
template <class P>
    requires policy<std::decay_t<P>>
[[nodiscard]] auto get_submission_group(P&& p) {
    return p.get_submission_group();
}

}  // namespace pointsman
