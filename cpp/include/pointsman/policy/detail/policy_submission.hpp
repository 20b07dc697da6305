// SPDX-License-Identifier: Apache-2.0
// Adds `get_policy()` to a backend's submission and keeps the policy's resources for it.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

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
    [[nodiscard]] auto& set() const noexcept { return *kept_.get()->set; }
    [[nodiscard]] Policy get() const { return Policy::of(set(), kept_.get()); }

  private:
    kept_snapshot<generation<Policy>> kept_;
};

/// A policy whose state records its choices and explains them.
template <class Policy>
concept records_each_choice = requires(
    const typename Policy::state_type& state, const typename Policy::state_type::choice& chosen,
    const std::vector<typename Policy::resource_type>& resources) {
    state.explanation_of(chosen, resources);
};

/// Keeps the choice as well, for `explain()` of a submission.
template <class Policy>
class kept_choice : public kept_policy<Policy> {
    using choice = typename Policy::state_type::choice;

  public:
    kept_choice(kept_snapshot<generation<Policy>> kept, const choice& chosen)
        : kept_policy<Policy>{std::move(kept)}, chosen_{chosen} {}

    [[nodiscard]] auto explain() const {
        return this->set().state.explanation_of(chosen_, this->set().resources);
    }

  private:
    choice chosen_;
};

/// Returns what a submission keeps of its policy.
template <class Policy, class Choice>
[[nodiscard, gnu::always_inline]] inline auto kept_for(kept_snapshot<generation<Policy>> kept,
                                                       [[maybe_unused]] const Choice& chosen) {
    if constexpr (records_each_choice<Policy>) {
        return kept_choice<Policy>{std::move(kept), chosen};
    } else {
        return kept_policy<Policy>{std::move(kept)};
    }
}

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

    /// Returns why the policy chose the resource, by what it knew then. Only of an `observed_policy`.
    [[nodiscard]] auto explain() const
        requires requires(const KeptPolicy& kept) { kept.explain(); }
    {
        return policy_.explain();
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
