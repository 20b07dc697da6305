// SPDX-License-Identifier: Apache-2.0
// The named requirement Selection: a chosen resource and the policy that chose it.
#pragma once

#include "pointsman/info/reporting.hpp"

namespace pointsman {

/// Named requirement *Selection*: `unwrap()` returns the chosen resource, and `policy()` or `get_policy()`
/// the policy that chose it. `report_execution_info_v` says which reports the selection accepts.
/// Source: *Named Requirements, Selection*, in the dynamic selection document.
template <class T>
concept selection = requires(T& s) { s.unwrap(); } &&
                    (requires(T& s) { s.policy(); } || requires(T& s) { s.get_policy(); });

}  // namespace pointsman
