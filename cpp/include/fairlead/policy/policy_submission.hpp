// SPDX-License-Identifier: Apache-2.0
// Adds to a backend's submission the policy that made it.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "fairlead/policy/resource_set.hpp"
#include "fairlead/submission/default_submission.hpp"

namespace fairlead {

namespace detail {
/// Keeps what the copies of a policy share, as long as there is a submission that may ask for it.
template <class Policy>
class kept_policy {
  public:
    /// Made by a caller with a copy of the policy. `thread` is the index of the calling thread.
    [[gnu::always_inline]] kept_policy(policy_core<Policy>& core, std::size_t thread) noexcept
        : core_{&core} {
        core_->enter(thread);
    }
    kept_policy(const kept_policy& other) noexcept : core_{other.core_} {
        if (core_ != nullptr) {
            core_->enter(hazard_registry::thread());
        }
    }
    [[gnu::always_inline]] kept_policy(kept_policy&& other) noexcept
        : core_{std::exchange(other.core_, nullptr)} {}
    kept_policy& operator=(kept_policy other) noexcept {
        std::swap(core_, other.core_);
        return *this;
    }
    [[gnu::always_inline]] ~kept_policy() {
        if (core_ != nullptr) {
            core_->leave(hazard_registry::thread());
        }
    }

    [[nodiscard]] Policy get() const { return Policy::of(*core_); }

  private:
    policy_core<Policy>* core_;
};

/// What a submission of a policy that has a state keeps of it.
template <class Policy>
concept kept_by_its_core = std::constructible_from<Policy, deferred_initialization_t> &&
                           requires { typename Policy::state_type::choice; };

/// Stands for a policy that cannot be copied.
struct not_kept {};
}  // namespace detail

/// A submission that knows its policy. `KeptPolicy` keeps it: a `kept_policy` or, for a policy with
/// members of its own, a copy from before the submission.
template <class Base, class KeptPolicy>
class policy_submission : public Base {
  public:
    [[gnu::always_inline]] policy_submission(Base&& base, KeptPolicy&& policy)
        : Base{std::move(base)}, policy_{std::move(policy)} {}

    /// The policy that placed the work; it shares its state with all copies. When they are gone, it is a
    /// new one over the resources that they had last. For a policy that can be copied.
    [[nodiscard]] auto get_policy() const {
        static_assert(!std::is_same_v<KeptPolicy, detail::not_kept>,
                      "this policy cannot be copied, so its submissions cannot keep it for "
                      "get_policy(): keep what cannot be copied in a std::shared_ptr, or use the "
                      "policy itself, which has to exist anyhow");
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

}  // namespace fairlead
