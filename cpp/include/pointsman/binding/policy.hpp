// SPDX-License-Identifier: Apache-2.0
// Explains a policy's choice, for bindings that store the choice instead of the selection, and makes policies.
#pragma once

#include "pointsman/policy/detail/hazard.hpp"
#include "pointsman/policy/detail/reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/striped_loads.hpp"

namespace pointsman::binding {

using pointsman::detail::hazard_registry;
using pointsman::detail::reason_for;
using pointsman::detail::rule_policy;

}  // namespace pointsman::binding
