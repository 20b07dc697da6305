// SPDX-License-Identifier: Apache-2.0
// Everything of a policy but its selection rule, with oneDPL's names for the hooks.
#pragma once

#include <utility>

#include "fairlead/policy/policy_base.hpp"
#include "oneapi/dpl/selection/basic_selection_handle.hpp"
#include "oneapi/dpl/selection/default_backend.hpp"

namespace oneapi::dpl::experimental {

/// Base of policies that a user writes, with the policy itself as first argument. The policy has
/// `initialize_state(args...)`, called after its resources have been set, and `try_select(f,
/// args...)`, which returns a `std::optional` of its selection, empty when no resource is free. Both
/// may be protected when this class is a friend.
///
/// `backend_` is used as a pointer to the backend. Unlike `fairlead::policy_base`, the default set
/// may be empty.
template <class Policy, class ResourceAdapter, class Backend, class... ReportReqs>
class policy_base : public fairlead::policy_base<Policy, ResourceAdapter, Backend, ReportReqs...> {
    using core = fairlead::policy_base<Policy, ResourceAdapter, Backend, ReportReqs...>;

  protected:
    using typename core::execution_resource_t;
    using selection_type = basic_selection_handle_t<Policy, execution_resource_t>;

  public:
    static constexpr bool accepts_empty_set = true;

    template <class... Args>
    auto try_select_impl(Args&&... args) {
        return static_cast<Policy&>(*this).try_select(std::forward<Args>(args)...);
    }
    template <class... Args>
    void initialize_impl(Args&&... args) {
        static_cast<Policy&>(*this).initialize_state(std::forward<Args>(args)...);
    }
};

}  // namespace oneapi::dpl::experimental
