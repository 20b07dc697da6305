// SPDX-License-Identifier: Apache-2.0
// Explains choices, for bindings that store what was recorded of them instead of selections; makes policies.
#pragma once

#include "pointsman/policy/detail/choice_states.hpp"
#include "pointsman/policy/detail/hazard.hpp"
#include "pointsman/policy/detail/reason.hpp"
#include "pointsman/policy/detail/rule_policy.hpp"
#include "pointsman/policy/detail/striped_loads.hpp"
#include "pointsman/tuning/measured_record.hpp"

namespace pointsman::binding {

using pointsman::detail::choice_state;
using pointsman::detail::compares_loads;
using pointsman::detail::hazard_registry;
using pointsman::detail::measured_record;
using pointsman::detail::reason_for;
using pointsman::detail::record_loads;
using pointsman::detail::recorded_loads;
using pointsman::detail::records_choices;
using pointsman::detail::rule_policy;
using pointsman::detail::states_by_load;
using pointsman::detail::states_by_nothing;
using pointsman::detail::states_by_time;

}  // namespace pointsman::binding
