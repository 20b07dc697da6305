// SPDX-License-Identifier: Apache-2.0
// The types that a policy names and the ways in which it can submit, for generic code.
#pragma once

#include <type_traits>

#include "pointsman/backend/backend_traits.hpp"

namespace pointsman {
namespace detail {
template <class P>
struct selection_of {
    using type = void;
};
template <class P>
    requires requires { typename P::selection_type; }
struct selection_of<P> {
    using type = typename P::selection_type;
};

/// `both<P, has_X>::X` is ambiguous if the class `P` has a member `X`. This finds the member without
/// instantiating it.
struct has_submit {
    void submit();
};
struct has_try_submit {
    void try_submit();
};
struct has_submit_and_wait {
    void submit_and_wait();
};
struct has_select {
    void select();
};
template <class P, class Named>
struct both : P, Named {};
template <class P>
inline constexpr bool submits_v = false;
template <class P>
inline constexpr bool tries_to_submit_v = false;
template <class P>
inline constexpr bool submits_and_waits_v = false;
template <class P>
inline constexpr bool selects_v = false;
/// A final class: its members cannot be found by deriving from it, so they are checked only at the call.
template <class P>
concept sealed = std::is_class_v<P> && std::is_final_v<P>;
template <class P>
concept derivable = std::is_class_v<P> && !std::is_final_v<P>;
template <derivable P>
inline constexpr bool submits_v<P> = !requires { &both<P, has_submit>::submit; };
template <derivable P>
inline constexpr bool tries_to_submit_v<P> = !requires { &both<P, has_try_submit>::try_submit; };
template <derivable P>
inline constexpr bool submits_and_waits_v<P> =
    !requires { &both<P, has_submit_and_wait>::submit_and_wait; };
template <derivable P>
inline constexpr bool selects_v<P> = !requires { &both<P, has_select>::select; };

template <class P>
struct named_resource {};
template <class P>
    requires requires { typename P::resource_type; }
struct named_resource<P> {
    using resource_type = typename P::resource_type;
};

/// A policy without a `wait_type` uses that of its backend.
template <class T>
struct wait_type_of : named_wait_type<T> {};
template <class T>
    requires(
        !requires { typename T::wait_type; } && requires { typename T::backend_type; })
struct wait_type_of<T> : named_wait_type<typename T::backend_type> {};
}  // namespace detail

/// Traits of a policy; `resource_type` exists if the policy has one. Specialise the traits for a policy
/// that you cannot change; such a specialisation needs only `resource_type`.
/// Source: *Policy Traits* in the dynamic selection and the custom policies documents.
template <class P>
struct policy_traits : detail::named_resource<std::decay_t<P>> {
    using selection_type = typename detail::selection_of<std::decay_t<P>>::type;
    /// The type that submitted functions must return; `void` if they may return any.
    using wait_type = typename detail::wait_type_of<std::decay_t<P>>::type;

    /// True if work can be submitted without waiting for it. Also true for every final class, because its
    /// members cannot be found: specialise the traits for a final class that can only submit and wait.
    static constexpr bool has_async_submit = detail::submits_v<std::decay_t<P>> ||
                                             detail::tries_to_submit_v<std::decay_t<P>> ||
                                             detail::sealed<std::decay_t<P>>;
};

/// The resource type of a policy or a backend.
template <class P>
using resource_t = typename policy_traits<P>::resource_type;
template <class P>
using selection_t = typename policy_traits<P>::selection_type;
template <class P>
using wait_type_t = typename policy_traits<P>::wait_type;

/// `value` is true if `P` can submit without waiting for the work.
template <class P>
struct has_async_submit : std::bool_constant<policy_traits<P>::has_async_submit> {};
template <class P>
inline constexpr bool has_async_submit_v = has_async_submit<P>::value;

namespace detail {
/// `has_async_submit` of the traits of `P`; true for a user-defined specialisation without this member.
template <class P>
inline constexpr bool may_submit_v = true;
template <class P>
    requires requires { policy_traits<P>::has_async_submit; }
inline constexpr bool may_submit_v<P> = policy_traits<P>::has_async_submit;
template <class P>
struct wanted_wait_type {
    using type = void;
};
template <class P>
    requires requires { typename policy_traits<P>::wait_type; }
struct wanted_wait_type<P> {
    using type = typename policy_traits<P>::wait_type;
};

/// Does not compile if the policy `P` has a `wait_type` and the function returns another type.
template <class P, class F, class... Args>
constexpr void check_wait_type() {
    using wanted = typename wanted_wait_type<P>::type;
    if constexpr (!std::is_void_v<wanted>) {
        if constexpr (std::is_invocable_v<F, const resource_t<P>&, Args...>) {
            using returned = std::invoke_result_t<F, const resource_t<P>&, Args...>;
            static_assert(std::is_same_v<std::remove_cvref_t<returned>, wanted>,
                          "the submitted function does not return the wait_type that its policy or "
                          "backend names: return an object of exactly that type, or name no "
                          "wait_type, which allows any");
        }
    }
}
}  // namespace detail

}  // namespace pointsman
