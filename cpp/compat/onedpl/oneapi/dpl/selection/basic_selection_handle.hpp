// SPDX-License-Identifier: Apache-2.0
// The selection of policies that need no reports: a policy and a resource.
#pragma once

#include <utility>

#include "oneapi/dpl/selection/functions.hpp"

namespace oneapi::dpl::experimental {

/// Selection for policies of the user's own without reporting requirements. It holds a copy of the
/// policy, so it may outlive the object that made it.
template <class Policy, class Resource>
class basic_selection_handle_t {
  public:
    explicit basic_selection_handle_t(const Policy& policy, Resource resource = Resource{})
        : policy_(policy), resource_(std::move(resource)) {}

    /// The chosen resource, a copy.
    auto unwrap() const { return experimental::unwrap(resource_); }
    Policy policy() const { return policy_; }
    Policy get_policy() const { return policy_; }

  private:
    Policy policy_;
    Resource resource_;
};

}  // namespace oneapi::dpl::experimental
