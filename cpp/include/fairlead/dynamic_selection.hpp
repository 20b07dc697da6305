// SPDX-License-Identifier: Apache-2.0
// Umbrella over the selection core, for resource types of the user's own; needs the standard
// library alone.
#pragma once

#include "fairlead/backend/default_backend.hpp"
#include "fairlead/error.hpp"
#include "fairlead/fwd.hpp"
#include "fairlead/info/execution_info.hpp"
#include "fairlead/info/report.hpp"
#include "fairlead/info/reporting.hpp"
#include "fairlead/info/unwrap.hpp"
#include "fairlead/info/wait.hpp"
#include "fairlead/policy/auto_tune_policy.hpp"
#include "fairlead/policy/dynamic_load_policy.hpp"
#include "fairlead/policy/earliest_finish_policy.hpp"
#include "fairlead/policy/fixed_resource_policy.hpp"
#include "fairlead/policy/policy.hpp"
#include "fairlead/policy/random_policy.hpp"
#include "fairlead/policy/round_robin_policy.hpp"
#include "fairlead/policy/selection.hpp"
#include "fairlead/policy/token_policy.hpp"
#include "fairlead/policy/weighted_round_robin_policy.hpp"
#include "fairlead/selection/get_resources.hpp"
#include "fairlead/selection/get_submission_group.hpp"
#include "fairlead/selection/select.hpp"
#include "fairlead/selection/submit.hpp"
#include "fairlead/submission/submission.hpp"
#include "fairlead/version.hpp"
