// SPDX-License-Identifier: Apache-2.0
// Compile-time traits of the events and values that a selection accepts in `report`.
#pragma once

#include <type_traits>

#include "pointsman/info/execution_info.hpp"

namespace pointsman {

/// `value` is true if selection `S` accepts the event `Info` without a value.
template <class S, class Info>
    struct report_info : std::bool_constant < requires(S& s, Info i) {
    s.report(i);
}>{};

/// `value` is true if selection `S` accepts the event `Info` with a value of type `V`.
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

/// `value` is true if selection `S` accepts `Info` in the form that the event has: with a value, unless
/// its `value_type` is `void`.
template <class S, class Info>
struct report_execution_info : report_info<S, Info> {};
template <class S, class Info>
    requires(!std::is_void_v<typename Info::value_type>)
struct report_execution_info<S, Info> : report_value<S, Info> {};
template <class S, class Info>
inline constexpr bool report_execution_info_v = report_execution_info<S, Info>::value;

/// True if `Info` is one of the reporting requirements `Reqs`.
template <class Info, class... Reqs>
inline constexpr bool contains_reporting_req_v =
    (std::is_same_v<std::decay_t<Info>, std::decay_t<Reqs>> || ...);

}  // namespace pointsman
