// SPDX-License-Identifier: Apache-2.0
// Sends an event of a task, with or without a value, to the policy that placed the task.
#pragma once

#include "pointsman/info/reporting.hpp"
#include "pointsman/info/reporting_requirement.hpp"

namespace pointsman {

/// Reports to the policy behind selection `s` that the event `i` has occurred.
template <class S, class Info>
    requires reporting_requirement<Info>
[[gnu::always_inline]] inline void report(S&& s, const Info& i) {
    static_assert(report_info_v<std::remove_reference_t<S>, Info>,
                  "this selection does not accept the event: check report_info_v before");
    s.report(i);
}

/// Reports to the policy behind selection `s` that the event `i` has occurred with value `v`.
template <class S, class Info, class V>
    requires reporting_requirement<Info>
[[gnu::always_inline]] inline void report(S&& s, const Info& i, const V& v) {
    static_assert(report_value_v<std::remove_reference_t<S>, Info, V>,
                  "this selection does not accept the value: check report_value_v before");
    s.report(i, v);
}

}  // namespace pointsman
