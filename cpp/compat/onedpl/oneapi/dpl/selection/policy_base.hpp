// SPDX-License-Identifier: Apache-2.0
// The base of user-defined policies, with oneDPL's names for the hooks.
#pragma once

#include <utility>
#include <vector>

#include "oneapi/dpl/selection/basic_selection_handle.hpp"
#include "oneapi/dpl/selection/default_backend.hpp"
#include "pointsman/policy/policy_base.hpp"

namespace oneapi::dpl::experimental {
namespace detail {
/// Accepted only by the `select_impl` of `policy_base` itself.
struct rule_probe {};

/// A policy that does not define `select_impl`. Braces match no parameter of a template, so a
/// `select_impl` that hides the base's is never instantiated.
template <class Policy>
concept writes_no_select_impl = requires { Policy::select_impl({}); };

/// True if a policy's `initialize_impl` is not accessible to others. A class, since a concept may be
/// evaluated with the access rights of the context that names it.
template <class Policy, class... Args>
struct initialize_access {
    static constexpr bool is_hidden = !requires(Policy& policy, Args&&... args) {
        policy.initialize_impl(std::forward<Args>(args)...);
    };
};
}  // namespace detail

/// Base of user-defined policies, with the policy itself as first argument. The policy's rule is one of
/// the following, called with the function to submit and its arguments; it returns a nullable handle of
/// its selection (`std::optional`, `std::shared_ptr`), empty if no resource is free:
///
/// - `try_select(f, args...)`, as in oneDPL's own policies;
/// - `try_select_impl(f, args...)` or `select_impl(f, args...)`, as in its documents.
///
/// The policy is prepared, after its resources have been set, by `initialize_state(args...)` or
/// `initialize_impl(args...)`. All of these may be protected if this class is a friend.
///
/// `backend_` is used as a pointer to the backend. Unlike `pointsman::policy_base`, the default set
/// may be empty.
template <class Policy, class ResourceAdapter, class Backend, class... ReportReqs>
class policy_base : public pointsman::policy_base<Policy, ResourceAdapter, Backend, ReportReqs...> {
    using core = pointsman::policy_base<Policy, ResourceAdapter, Backend, ReportReqs...>;

  protected:
    using typename core::execution_resource_t;
    using selection_type = basic_selection_handle_t<Policy, execution_resource_t>;

  public:
    using typename core::resource_type;
    static constexpr bool accepts_empty_set = true;

    /// Uses the default set.
    template <class... Args>
        requires(!pointsman::detail::leads_v<std::vector<resource_type>, Args...>)
    void initialize(Args... args) {
        if constexpr (detail::initialize_access<Policy, Args...>::is_hidden) {
            core::initialize();
            static_cast<Policy&>(*this).initialize_impl(std::move(args)...);
        } else {
            core::initialize(std::move(args)...);
        }
    }
    /// Uses `resources`, and an adapter if the next argument is one; see `pointsman::policy_base`.
    template <class... Args>
    void initialize(const std::vector<resource_type>& resources, Args... args) {
        if constexpr (pointsman::detail::leads_v<ResourceAdapter, Args...>) {
            initialize_adapted(resources, std::move(args)...);
        } else {
            initialize_adapted(resources, ResourceAdapter{}, std::move(args)...);
        }
    }

    template <class... Args>
    auto try_select_impl(Args&&... args) {
        auto& rule = static_cast<Policy&>(*this);
        if constexpr (detail::writes_no_select_impl<Policy>) {
            static_assert(
                requires { rule.try_select(std::forward<Args>(args)...); },
                "a policy must define try_select(f, args...): return a std::optional of its "
                "selection, empty when no resource is free");
            return rule.try_select(std::forward<Args>(args)...);
        } else {
            return rule.select_impl(std::forward<Args>(args)...);
        }
    }
    /// Checked if the policy's own `try_select_impl` is protected.
    template <class... Args>
    auto select_impl(Args&&... args) {
        return static_cast<Policy&>(*this).try_select_impl(std::forward<Args>(args)...);
    }
    /// Found only if the policy has no `select_impl`, which is what `writes_no_select_impl` tests.
    static void select_impl(detail::rule_probe) noexcept {}

    template <class... Args>
    void initialize_impl(Args&&... args) {
        static_cast<Policy&>(*this).initialize_state(std::forward<Args>(args)...);
    }

  private:
    template <class... Args>
    void initialize_adapted(const std::vector<resource_type>& resources, ResourceAdapter adapter,
                            Args... args) {
        if constexpr (detail::initialize_access<Policy, Args...>::is_hidden) {
            core::initialize(resources, std::move(adapter));
            static_cast<Policy&>(*this).initialize_impl(std::move(args)...);
        } else {
            core::initialize(resources, std::move(adapter), std::move(args)...);
        }
    }
};

}  // namespace oneapi::dpl::experimental
