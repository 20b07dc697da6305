// SPDX-License-Identifier: Apache-2.0
// The selection of policies that need no reports: a policy and a resource.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "oneapi/dpl/selection/functions.hpp"

namespace oneapi::dpl::experimental {

/// Selection for user-defined policies without reporting requirements. It holds a copy of the policy,
/// so it may outlive the original; to a policy that cannot be copied it holds a reference, and the
/// policy must then exist as long as the selection is used.
template <class Policy, class Resource>
class basic_selection_handle_t {
    static constexpr bool copies = std::is_copy_constructible_v<Policy>;

  public:
    explicit basic_selection_handle_t(const Policy& policy, Resource resource = Resource{})
        : policy_(held(policy)), resource_(std::move(resource)) {}

    /// A copy of the chosen resource.
    auto unwrap() const { return experimental::unwrap(resource_); }
    /// The policy that chose, by value if it can be copied.
    decltype(auto) policy() const { return get_policy(); }
    std::conditional_t<copies, Policy, const Policy&> get_policy() const {
        if constexpr (copies) {
            return policy_;
        } else {
            return *policy_;
        }
    }

  private:
    static decltype(auto) held(const Policy& policy) {
        if constexpr (copies) {
            return (policy);
        } else {
            return std::addressof(policy);
        }
    }

    std::conditional_t<copies, Policy, const Policy*> policy_;
    Resource resource_;
};

}  // namespace oneapi::dpl::experimental
