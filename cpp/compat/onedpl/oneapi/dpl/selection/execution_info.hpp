// SPDX-License-Identifier: Apache-2.0
// The events that backends report, and how a backend reports them.
#pragma once

#include <type_traits>

#include "fairlead/info/execution_info.hpp"
#include "fairlead/info/reporting.hpp"

namespace oneapi::dpl::experimental {

/// Events of a task's life. `task_time` is counted in nanoseconds here; backends may report, and
/// selections may take, milliseconds.
namespace execution_info {
using fairlead::execution_info::task_completion;
using fairlead::execution_info::task_completion_t;
using fairlead::execution_info::task_submission;
using fairlead::execution_info::task_submission_t;
using fairlead::execution_info::task_time;
using fairlead::execution_info::task_time_t;

/// `value` is true when `Info` is one of `Infos`.
template <class Info, class... Infos>
struct contains_reporting_req : std::disjunction<std::is_same<Info, Infos>...> {};
template <class Info, class... Infos>
inline constexpr bool contains_reporting_req_v = contains_reporting_req<Info, Infos...>::value;
}  // namespace execution_info

using fairlead::execution_info_v;
using fairlead::report_execution_info;
using fairlead::report_execution_info_v;
using fairlead::report_info;
using fairlead::report_info_v;
using fairlead::report_value;
using fairlead::report_value_v;

/// Tells the selection `s` that the event `i` has occurred; nothing happens when it does not ask.
template <class S, class Info>
void report(S&& s, const Info& i) {
    if constexpr (report_info_v<std::remove_reference_t<S>, Info>) {
        s.report(i);
    }
}

/// Tells the selection `s` the value `v` of the event `i`; nothing happens when it does not ask.
template <class S, class Info, class Value>
void report(S&& s, const Info& i, const Value& v) {
    if constexpr (report_value_v<std::remove_reference_t<S>, Info, Value>) {
        s.report(i, v);
    }
}

}  // namespace oneapi::dpl::experimental
