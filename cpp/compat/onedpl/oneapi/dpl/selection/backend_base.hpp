// SPDX-License-Identifier: Apache-2.0
// The base class of user-defined backends, and their submission group that waits for whole resources.
#pragma once

#include <chrono>
#include <vector>

#include "oneapi/dpl/selection/identity.hpp"
#include "pointsman/backend/backend_base.hpp"
#include "pointsman/backend/backend_traits.hpp"
#include "pointsman/resource/default_universe.hpp"
#include "pointsman/submission/default_submission.hpp"

namespace oneapi::dpl::experimental {
namespace detail {
/// The default set of a resource type, empty for a type without one.
template <class Resource>
std::vector<Resource> default_set() {
    if constexpr (pointsman::has_default_universe<Resource>) {
        return pointsman::default_universe<Resource>::get();
    } else {
        return {};
    }
}
}  // namespace detail

using pointsman::default_submission;

/// Waits for all work on each resource. The resource, or what `Adapter` returns for it, has a `wait()`.
template <class Resource, class Adapter = identity>
class default_submission_group : public pointsman::resource_group<Resource, Adapter> {
  public:
    using pointsman::resource_group<Resource, Adapter>::resource_group;
};
template <class Resource>
default_submission_group(std::vector<Resource>) -> default_submission_group<Resource>;
template <class Resource, class Adapter>
default_submission_group(std::vector<Resource>, Adapter)
    -> default_submission_group<Resource, Adapter>;

/// Base of user-defined backends: stores the resources in the protected member `resources_`, and submits
/// without reporting. If it is constructed without resources, it uses
/// `pointsman::default_universe<Resource>`, or no resources if that does not exist.
template <class Resource>
class backend_base : public pointsman::backend_base<Resource> {
    using base = pointsman::backend_base<Resource>;

  public:
    using report_duration = std::chrono::milliseconds;
    template <class... ReportReqs>
    using scratch_t = pointsman::no_scratch_t<ReportReqs...>;

    template <class... ReportReqs>
        requires(pointsman::execution_info_v<ReportReqs> && ...)
    explicit backend_base(ReportReqs... reqs) : base{detail::default_set<Resource>(), reqs...} {}
    template <class... ReportReqs>
    explicit backend_base(const std::vector<Resource>& resources, ReportReqs... reqs)
        : base{resources, reqs...} {}
};

}  // namespace oneapi::dpl::experimental
