// SPDX-License-Identifier: Apache-2.0
// Adds to a backend's submission the policy that made it.
#pragma once

#include <type_traits>
#include <utility>

#include "fairlead/submission/default_submission.hpp"

namespace fairlead {

/// A submission that knows its policy. `PolicyRef` is a pointer to the policy object that was used
/// for the submission, which has to exist when `get_policy()` is called, or a policy by value.
template <class Base, class PolicyRef>
class policy_submission : public Base {
  public:
    policy_submission(Base&& base, PolicyRef policy)
        : Base{std::move(base)}, policy_{std::move(policy)} {}

    /// The policy that placed the work; it shares its state with all copies.
    [[nodiscard]] auto get_policy() const {
        if constexpr (std::is_pointer_v<PolicyRef>) {
            return *policy_;
        } else {
            return policy_;
        }
    }

  private:
    PolicyRef policy_;
};

namespace detail {
template <class PolicyRef, class Base>
    requires(!std::is_lvalue_reference_v<Base>)
auto with_policy(Base&& base, PolicyRef policy) {
    if constexpr (requires { base.get_policy(); } || std::is_final_v<Base>) {
        return std::forward<Base>(base);
    } else {
        return policy_submission<Base, PolicyRef>{std::forward<Base>(base), std::move(policy)};
    }
}
}  // namespace detail

}  // namespace fairlead
