// SPDX-License-Identifier: Apache-2.0
// The named requirement of the tags with which a policy requests reports from its backend.
#pragma once

#include "pointsman/info/execution_info.hpp"

namespace pointsman {

/// Tag of an execution event: an empty type whose `value_type` is the type of the value reported with
/// the event, or `void` if there is none. A policy passes the tags that it needs to its backend's
/// constructor.
/// Source: *Execution Info* in the dynamic selection document, and *Reporting Requirements and Scratch
/// Space Contract* in the custom backends document.
template <class Info>
concept reporting_requirement = execution_info_v<Info>;

static_assert(reporting_requirement<execution_info::task_submission_t> &&
              reporting_requirement<execution_info::task_completion_t> &&
              reporting_requirement<execution_info::task_failure_t> &&
              reporting_requirement<execution_info::task_time_t> &&
              reporting_requirement<execution_info::task_time_bound_t>);

}  // namespace pointsman
