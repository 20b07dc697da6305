// SPDX-License-Identifier: Apache-2.0
// The events that backends report, and how a backend reports them.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "pointsman/info/execution_info.hpp"
#include "pointsman/info/reporting.hpp"
#include "pointsman/info/reporting_requirement.hpp"

namespace oneapi::dpl::experimental {

/// Events of a task's life. Each converts to pointsman's event of the same name, and back.
namespace execution_info {

/// The task has been handed to its resource.
struct task_submission_t : pointsman::execution_info::task_submission_t {
    static constexpr bool is_execution_info_v = true;

    constexpr task_submission_t() noexcept = default;
    constexpr task_submission_t(pointsman::execution_info::task_submission_t) noexcept {}
};

/// The task is complete.
struct task_completion_t : pointsman::execution_info::task_completion_t {
    static constexpr bool is_execution_info_v = true;

    constexpr task_completion_t() noexcept = default;
    constexpr task_completion_t(pointsman::execution_info::task_completion_t) noexcept {}
};

/// How long the task took. Backends may report, and selections may take, a duration or the number of
/// ticks of `std::chrono::nanoseconds`.
struct task_time_t : pointsman::execution_info::task_time_t {
    using value_type = std::uint64_t;
    static constexpr bool is_execution_info_v = true;

    constexpr task_time_t() noexcept = default;
    constexpr task_time_t(pointsman::execution_info::task_time_t) noexcept {}
};

inline constexpr task_submission_t task_submission{};
inline constexpr task_completion_t task_completion{};
inline constexpr task_time_t task_time{};

/// `value` is true when `Info` is one of `Infos`.
template <class Info, class... Infos>
struct contains_reporting_req : std::disjunction<std::is_same<Info, Infos>...> {};
template <class Info, class... Infos>
inline constexpr bool contains_reporting_req_v = contains_reporting_req<Info, Infos...>::value;

}  // namespace execution_info

namespace detail {

/// pointsman's tag of the event `Info`; an event that it does not know is unchanged.
template <class Info>
struct core_info {
    using type = Info;
};
template <>
struct core_info<execution_info::task_submission_t> {
    using type = pointsman::execution_info::task_submission_t;
};
template <>
struct core_info<execution_info::task_completion_t> {
    using type = pointsman::execution_info::task_completion_t;
};
template <>
struct core_info<execution_info::task_time_t> {
    using type = pointsman::execution_info::task_time_t;
};
template <class Info>
using core_info_t = typename core_info<Info>::type;

/// A selection that takes the time of a task as a duration, while a number of ticks is reported.
template <class Selection, class Info, class Value>
concept is_notified_of_ticks =
    std::derived_from<Info, pointsman::execution_info::task_time_t> && std::integral<Value> &&
    !pointsman::report_value_v<Selection, Info, Value> &&
    pointsman::report_value_v<Selection, Info, std::chrono::nanoseconds>;

}  // namespace detail

using pointsman::execution_info_v;
using pointsman::report_info;
using pointsman::report_info_v;

/// `value` is true if selection `S` accepts a report of event `Info` with a value of type `V`.
template <class S, class Info, class V = typename Info::value_type>
struct report_value : std::bool_constant<pointsman::report_value_v<S, Info, V> ||
                                         detail::is_notified_of_ticks<S, Info, V>> {};
template <class S, class Info, class V = typename Info::value_type>
inline constexpr bool report_value_v = report_value<S, Info, V>::value;

/// `value` is true if selection `S` accepts a report of `Info`, with or without a value.
template <class S, class Info>
struct report_execution_info
    : std::bool_constant<report_info_v<S, Info> || report_value_v<S, Info> ||
                         pointsman::report_value_v<S, Info, std::chrono::milliseconds>> {};
template <class S, class Info>
inline constexpr bool report_execution_info_v = report_execution_info<S, Info>::value;

/// Reports to the selection `s` that the event `i` has occurred; does nothing if `s` does not take it.
template <class S, class Info>
void report(S&& s, const Info& i) {
    if constexpr (report_info_v<std::remove_reference_t<S>, Info>) {
        s.report(i);
    }
}

/// Reports the value `v` of the event `i` to the selection `s`; does nothing if `s` does not take it.
template <class S, class Info, class Value>
void report(S&& s, const Info& i, const Value& v) {
    if constexpr (pointsman::report_value_v<std::remove_reference_t<S>, Info, Value>) {
        s.report(i, v);
    }
}
template <class S, class Info, class Value>
    requires(pointsman::reporting_requirement<Info> &&
             detail::is_notified_of_ticks<std::remove_reference_t<S>, Info, Value>)
void report(S&& s, const Info& i, const Value& v) {
    s.report(i, std::chrono::nanoseconds{v});
}

}  // namespace oneapi::dpl::experimental
