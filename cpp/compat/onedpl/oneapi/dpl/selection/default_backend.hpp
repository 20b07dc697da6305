// SPDX-License-Identifier: Apache-2.0
// The backend that policies use unless told otherwise, and the template that users specialise.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "oneapi/dpl/selection/backend_base.hpp"
#include "oneapi/dpl/selection/execution_info.hpp"
#include "oneapi/dpl/selection/identity.hpp"
#include "pointsman/backend/core_resource_backend.hpp"
#include "pointsman/backend/default_backend.hpp"
#include "pointsman/backend/detail/adapted_group.hpp"

namespace oneapi::dpl::experimental {
namespace detail {

/// The type in which a selection takes the time of its task: nanoseconds, as pointsman reports it, if
/// possible.
template <class Selection>
struct time_taken {
    using type = std::chrono::nanoseconds;
};
template <class Selection>
inline constexpr bool takes_nanoseconds_v =
    report_value_v<Selection, execution_info::task_time_t, std::chrono::nanoseconds>;
template <class Selection>
    requires(!takes_nanoseconds_v<Selection> &&
             report_value_v<Selection, execution_info::task_time_t, std::uint64_t>)
struct time_taken<Selection> {
    using type = std::uint64_t;
};
template <class Selection>
    requires(!takes_nanoseconds_v<Selection> &&
             !report_value_v<Selection, execution_info::task_time_t, std::uint64_t> &&
             report_value_v<Selection, execution_info::task_time_t, std::chrono::milliseconds>)
struct time_taken<Selection> {
    using type = std::chrono::milliseconds;
};
template <class Selection>
using time_taken_t = typename time_taken<Selection>::type;

/// Passes nanoseconds on to a selection that takes a `Time`.
template <class Selection, class Time>
class converting_selection : public Selection {
  public:
    explicit converting_selection(Selection selection) : Selection(std::move(selection)) {}

    using Selection::report;
    void report(execution_info::task_time_t info, std::chrono::nanoseconds time) {
        if constexpr (std::is_integral_v<Time>) {
            Selection::report(info, static_cast<Time>(time.count()));
        } else {
            Selection::report(info, std::chrono::duration_cast<Time>(time));
        }
    }
};

}  // namespace detail

/// Backend for resources of type `Resource` that `Adapter` turns into a `CoreResource`: pointsman's
/// own, which reports submission, completion and time for every type. Specialise it for a
/// `CoreResource` that needs something else. A submitted function gets the resource by value.
template <class CoreResource, class Resource, class Adapter>
class core_resource_backend
    : public pointsman::core_resource_backend<CoreResource, Resource, Adapter> {
    using base = pointsman::core_resource_backend<CoreResource, Resource, Adapter>;

  public:
    template <class... ReportReqs>
    using scratch_t = pointsman::no_scratch_t<ReportReqs...>;

    template <class... ReportReqs>
        requires(pointsman::execution_info_v<ReportReqs> && ...)
    explicit core_resource_backend(ReportReqs...)
        : base{detail::default_set<Resource>(), Adapter{}, detail::core_info_t<ReportReqs>{}...} {}
    template <class... ReportReqs>
    explicit core_resource_backend(const std::vector<Resource>& resources, Adapter adapter,
                                   ReportReqs...)
        : base{resources, std::move(adapter), detail::core_info_t<ReportReqs>{}...} {}

    /// Calls `f(resource, args...)` and watches the result without waiting for it.
    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        using time = detail::time_taken_t<Selection>;
        if constexpr (!std::is_same_v<time, std::chrono::nanoseconds>) {
            return submit(detail::converting_selection<Selection, time>{std::move(selection)},
                          std::forward<F>(f), std::forward<Args>(args)...);
        } else {
            auto call_with_copy = [&f](auto&& resource, auto&&... rest) -> decltype(auto) {
                return std::invoke(
                    std::forward<F>(f),
                    std::decay_t<decltype(resource)>(std::forward<decltype(resource)>(resource)),
                    std::forward<decltype(rest)>(rest)...);
            };
            return base::submit(std::move(selection), call_with_copy, std::forward<Args>(args)...);
        }
    }
};

/// Selects the `core_resource_backend` of the adapted type of `Resource`. A specialised one that keeps
/// the submission group of `backend_base` waits for the adapted resources.
template <class Resource, class Adapter = identity>
class default_backend
    : public pointsman::detail::with_adapted_group_t<
          core_resource_backend<pointsman::core_resource_t<Resource, Adapter>, Resource, Adapter>,
          Resource, Adapter> {
    using base = pointsman::detail::with_adapted_group_t<
        core_resource_backend<pointsman::core_resource_t<Resource, Adapter>, Resource, Adapter>,
        Resource, Adapter>;

  public:
    template <class... ReportReqs>
        requires(pointsman::execution_info_v<ReportReqs> && ...)
    explicit default_backend(ReportReqs... reqs) : base(reqs...) {}
    template <class... ReportReqs>
    explicit default_backend(const std::vector<Resource>& resources, Adapter adapter = {},
                             ReportReqs... reqs)
        : base(resources, std::move(adapter), reqs...) {}
};

}  // namespace oneapi::dpl::experimental
