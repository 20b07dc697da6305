// SPDX-License-Identifier: Apache-2.0
// Adds `get_policy()` to a backend's submission and keeps the policy's resources for it.
#pragma once

#include <type_traits>
#include <utility>

#include "pointsman/policy/detail/resource_set.hpp"
#include "pointsman/submission/default_submission.hpp"

namespace pointsman {

namespace detail {
/// Keeps the resources of a policy with a state alive, for `get_policy()` of a submission.
template <class Policy>
class kept_policy {
  public:
    [[gnu::always_inline]] explicit kept_policy(kept_snapshot<generation<Policy>> kept) noexcept
        : kept_{std::move(kept)} {}
    kept_policy(const kept_policy&) = default;
    [[gnu::always_inline]] kept_policy(kept_policy&&) noexcept = default;
    kept_policy& operator=(const kept_policy&) = default;
    kept_policy& operator=(kept_policy&&) noexcept = default;
    [[gnu::always_inline]] ~kept_policy() = default;

    [[nodiscard]] auto& backend() const noexcept { return kept_.get()->backend; }
    [[nodiscard]] Policy get() const { return Policy::of(*kept_.get()->set, kept_.get()); }

  private:
    kept_snapshot<generation<Policy>> kept_;
};

/// Used instead of a copy of a policy that cannot be copied.
struct not_kept {};
}  // namespace detail

/// A submission that can return its policy. `KeptPolicy` is a `kept_policy` or, for a policy without a
/// state, a copy that was made before the submission.
template <class Base, class KeptPolicy>
class policy_submission : public Base {
  public:
    [[gnu::always_inline]] policy_submission(Base&& base, KeptPolicy&& policy)
        : Base{std::move(base)}, policy_{std::move(policy)} {}
    [[gnu::always_inline]] policy_submission(policy_submission&&) noexcept = default;
    policy_submission(const policy_submission&) = default;
    policy_submission& operator=(policy_submission&&) noexcept = default;
    policy_submission& operator=(const policy_submission&) = default;
    [[gnu::always_inline]] ~policy_submission() = default;

    /// Returns the policy that placed the work, which shares its state with all copies. If all copies have
    /// been destroyed, returns a new policy with the same resources. The policy must be copyable.
    [[nodiscard]] auto get_policy() const {
        static_assert(
            !std::is_same_v<KeptPolicy, detail::not_kept>,
            "this policy cannot be copied, so its submissions cannot keep it for "
            "get_policy(): hold its non-copyable members in a std::shared_ptr, or use the "
            "policy itself, which must exist anyway");
        if constexpr (requires { policy_.get(); }) {
            return policy_.get();
        } else {
            return policy_;
        }
    }

  private:
    [[no_unique_address]] KeptPolicy policy_;
};

namespace detail {
template <class KeptPolicy, class Base>
    requires(!std::is_lvalue_reference_v<Base>)
[[gnu::always_inline]] inline auto with_policy(Base&& base, KeptPolicy&& policy) {
    if constexpr (requires { base.get_policy(); } || std::is_final_v<Base>) {
        return std::forward<Base>(base);
    } else {
        return policy_submission<Base, std::decay_t<KeptPolicy>>{std::forward<Base>(base),
                                                                 std::forward<KeptPolicy>(policy)};
    }
}
}  // namespace detail

}  // namespace pointsman
