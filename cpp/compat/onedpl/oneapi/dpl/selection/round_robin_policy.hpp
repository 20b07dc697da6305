// SPDX-License-Identifier: Apache-2.0
// The policy that takes its resources in turn.
#pragma once

#include <cstddef>

#include "oneapi/dpl/selection/adapted_policy.hpp"
#include "pointsman/policy/round_robin_policy.hpp"

namespace oneapi::dpl::experimental {

/// `pointsman::round_robin_policy` over any backend that oneDPL's accepts.
template <class Resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class round_robin_policy
    : public detail::adapted_policy<pointsman::round_robin_rule, ResourceAdapter, Backend> {
  public:
    using round_robin_policy::adapted_policy::adapted_policy;
};
POINTSMAN_GUIDES_FOR_RESOURCES(round_robin_policy, std::size_t);

}  // namespace oneapi::dpl::experimental
