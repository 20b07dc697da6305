// SPDX-License-Identifier: Apache-2.0
// Watched work and completion reports, for languages whose waitable objects complete in their own way.
#pragma once

#include "pointsman/backend/core_resource_backend.hpp"
#include "pointsman/binding/base.hpp"
#include "pointsman/submission/default_submission_group.hpp"
#include "pointsman/submission/detail/watched_work.hpp"

namespace pointsman::binding {

using pointsman::detail::group_hold;
using pointsman::detail::interrupted_wait;
using pointsman::detail::is_notified_of_time_v;
using pointsman::detail::kept;
using pointsman::detail::report_completion;
using pointsman::detail::report_failure;
using pointsman::detail::report_time;
using pointsman::detail::submission_group_state;
using pointsman::detail::wants_time;
using pointsman::detail::watched_work;

}  // namespace pointsman::binding
