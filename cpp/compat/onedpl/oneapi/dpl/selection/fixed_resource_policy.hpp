// SPDX-License-Identifier: Apache-2.0
// The policy that always chooses the same resource.
#pragma once

#include <cstddef>

#include "oneapi/dpl/selection/adapted_policy.hpp"
#include "pointsman/policy/fixed_resource_policy.hpp"

namespace oneapi::dpl::experimental {

/// `pointsman::fixed_resource_policy` over any backend that oneDPL's accepts.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class fixed_resource_policy
    : public detail::adapted_policy<pointsman::fixed_resource_rule, ResourceAdapter, Backend> {
  public:
    using fixed_resource_policy::adapted_policy::adapted_policy;
};
POINTSMAN_GUIDES_FOR_RESOURCES(fixed_resource_policy, std::size_t);

}  // namespace oneapi::dpl::experimental
