// SPDX-License-Identifier: Apache-2.0
// Traits that tell which events a selection wants to be reported.
#pragma once

#include <type_traits>

#include "pointsman/info/execution_info.hpp"

namespace pointsman {

/// `value` is true when selection `S` wants the event `Info` reported (an event without a value).
template <class S, class Info>
    struct report_info : std::bool_constant < requires(S& s, Info i) {
    s.report(i);
}>{};

/// `value` is true when selection `S` wants the value `V` of event `Info` reported.
template <class S, class Info, class V = typename Info::value_type>
    struct report_value : std::bool_constant < requires(S& s, Info i, V v) {
    s.report(i, v);
}>{};

template <class S, class Info>
struct report_value<S, Info, void> : std::false_type {};

template <class S, class Info>
inline constexpr bool report_info_v = report_info<S, Info>::value;
template <class S, class Info, class V = typename Info::value_type>
inline constexpr bool report_value_v = report_value<S, Info, V>::value;

/// `value` is true when selection `S` wants `Info` in either form.
template <class S, class Info>
struct report_execution_info : report_info<S, Info> {};
template <class S, class Info>
    requires(!std::is_void_v<typename Info::value_type>)
struct report_execution_info<S, Info> : report_value<S, Info> {};
template <class S, class Info>
inline constexpr bool report_execution_info_v = report_execution_info<S, Info>::value;

/// True when `Info` is one of the reporting requirements `Reqs`.
template <class Info, class... Reqs>
inline constexpr bool contains_reporting_req_v =
    (std::is_same_v<std::decay_t<Info>, std::decay_t<Reqs>> || ...);

}  // namespace pointsman
