// SPDX-License-Identifier: Apache-2.0
// The named requirement Selection.
#pragma once

#include "pointsman/info/reporting.hpp"

namespace pointsman {

/// Named requirement *Selection*: `unwrap()` gives the chosen resource, and `policy()` or `get_policy()`
/// the policy that chose it; what it wants reported is asked with `report_execution_info_v`.
/// Source: *Named Requirements, Selection*, in the dynamic selection document.
template <class T>
concept selection = requires(T& s) { s.unwrap(); } &&
                    (requires(T& s) { s.policy(); } || requires(T& s) { s.get_policy(); });

}  // namespace pointsman
