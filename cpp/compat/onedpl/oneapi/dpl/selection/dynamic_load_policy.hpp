// SPDX-License-Identifier: Apache-2.0
// The policy that chooses the resource with the least outstanding work.
#pragma once

#include <cstddef>

#include "oneapi/dpl/selection/adapted_policy.hpp"
#include "oneapi/dpl/selection/execution_info.hpp"
#include "pointsman/backend/backend_base.hpp"
#include "pointsman/policy/dynamic_load_policy.hpp"
#include "pointsman/policy/tie_break.hpp"

namespace oneapi::dpl::experimental {
namespace detail {

/// Pointsman's rule with oneDPL's order among equals.
class dynamic_load_rule : public pointsman::dynamic_load_rule {
  public:
    using settings = pointsman::detail::rule_settings<std::size_t>;

    explicit dynamic_load_rule(std::size_t size, std::size_t offset = 0)
        : pointsman::dynamic_load_rule{size, offset, pointsman::tie_break::first} {}
};

}  // namespace detail

/// `pointsman::dynamic_load_policy` over any backend that oneDPL's accepts. Of resources with the same
/// load it chooses the first, from `offset` on.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class dynamic_load_policy
    : public detail::adapted_policy<detail::dynamic_load_rule, ResourceAdapter, Backend,
                                    execution_info::task_submission_t,
                                    execution_info::task_completion_t> {
    static_assert(
        !pointsman::detail::submits_unreported<Backend>,
        "dynamic_load_policy needs a backend that reports execution_info::task_submission "
        "and execution_info::task_completion: give it a submit(selection, f, args...) that "
        "does, or use default_backend, or a policy that needs no reports");

  public:
    using dynamic_load_policy::adapted_policy::adapted_policy;
};
POINTSMAN_GUIDES_FOR_RESOURCES(dynamic_load_policy, std::size_t);

}  // namespace oneapi::dpl::experimental
