// SPDX-License-Identifier: Apache-2.0
// The backend that policies use unless told otherwise, and the template that users specialise.
#pragma once

#include <chrono>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "fairlead/backend/core_resource_backend.hpp"
#include "fairlead/backend/default_backend.hpp"
#include "oneapi/dpl/selection/backend_base.hpp"
#include "oneapi/dpl/selection/execution_info.hpp"
#include "oneapi/dpl/selection/functions.hpp"

namespace oneapi::dpl::experimental {
namespace detail {

/// Whether a selection takes the time of its task in milliseconds, but not in nanoseconds.
template <class Selection>
inline constexpr bool takes_milliseconds_v =
    report_value_v<Selection, execution_info::task_time_t, std::chrono::milliseconds> &&
    !report_value_v<Selection, execution_info::task_time_t, std::chrono::nanoseconds>;

/// Passes nanoseconds on to a selection that takes milliseconds.
template <class Selection>
class millisecond_selection : public Selection {
  public:
    explicit millisecond_selection(Selection selection) : Selection(std::move(selection)) {}

    using Selection::report;
    void report(execution_info::task_time_t info, std::chrono::nanoseconds time) {
        Selection::report(info, std::chrono::duration_cast<std::chrono::milliseconds>(time));
    }
};

}  // namespace detail

/// Backend for resources of type `Resource` that `Adapter` turns into a `CoreResource`: fairlead's
/// own, which reports submission, completion and time for every type. Specialise it for a
/// `CoreResource` that needs something else. A submitted function gets the resource by value.
template <class CoreResource, class Resource, class Adapter>
class core_resource_backend
    : public fairlead::core_resource_backend<CoreResource, Resource, Adapter> {
    using base = fairlead::core_resource_backend<CoreResource, Resource, Adapter>;

  public:
    template <class... ReportReqs>
    using scratch_t = fairlead::no_scratch_t<ReportReqs...>;

    template <class... ReportReqs>
        requires(fairlead::execution_info_v<ReportReqs> && ...)
    explicit core_resource_backend(ReportReqs... reqs)
        : base{detail::default_set<Resource>(), Adapter{}, reqs...} {}
    template <class... ReportReqs>
    explicit core_resource_backend(const std::vector<Resource>& resources, Adapter adapter,
                                   ReportReqs... reqs)
        : base{resources, std::move(adapter), reqs...} {}

    /// Calls `f(resource, args...)` and watches what it returns; does not wait for it.
    template <class Selection, class F, class... Args>
    auto submit(Selection selection, F&& f, Args&&... args) {
        if constexpr (detail::takes_milliseconds_v<Selection>) {
            return submit(detail::millisecond_selection<Selection>{std::move(selection)},
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

/// Picks the `core_resource_backend` of what `Adapter` makes of a `Resource`.
template <class Resource, class Adapter = identity>
class default_backend : public core_resource_backend<fairlead::core_resource_t<Resource, Adapter>,
                                                     Resource, Adapter> {
    using base =
        core_resource_backend<fairlead::core_resource_t<Resource, Adapter>, Resource, Adapter>;

  public:
    template <class... ReportReqs>
        requires(fairlead::execution_info_v<ReportReqs> && ...)
    explicit default_backend(ReportReqs... reqs) : base(reqs...) {}
    template <class... ReportReqs>
    explicit default_backend(const std::vector<Resource>& resources, Adapter adapter = {},
                             ReportReqs... reqs)
        : base(resources, std::move(adapter), reqs...) {}
};

}  // namespace oneapi::dpl::experimental
