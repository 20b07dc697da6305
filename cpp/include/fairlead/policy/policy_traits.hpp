// SPDX-License-Identifier: Apache-2.0
// What can be asked of a policy's type.
#pragma once

#include <type_traits>

#include "fairlead/backend/backend_traits.hpp"

namespace fairlead {
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

/// Whether a class has a member of a given name, found without instantiating it: deriving from the
/// class and from another one with that member makes the name ambiguous.
struct has_submit {
    void submit();
};
struct has_try_submit {
    void try_submit();
};
struct has_submit_and_wait {
    void submit_and_wait();
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
concept derivable = std::is_class_v<P> && !std::is_final_v<P>;
template <derivable P>
inline constexpr bool submits_v<P> = !requires { &both<P, has_submit>::submit; };
template <derivable P>
inline constexpr bool tries_to_submit_v<P> = !requires { &both<P, has_try_submit>::try_submit; };
template <derivable P>
inline constexpr bool submits_and_waits_v<P> =
    !requires { &both<P, has_submit_and_wait>::submit_and_wait; };

/// A policy that names no `wait_type` has that of its backend.
template <class T>
struct wait_type_of : named_wait_type<T> {};
template <class T>
    requires(
        !requires { typename T::wait_type; } && requires { typename T::backend_type; })
struct wait_type_of<T> : named_wait_type<typename T::backend_type> {};
}  // namespace detail

/// Traits of a policy.
/// Source: *Policy Traits* in the dynamic selection and the custom policies documents.
template <class P>
struct policy_traits {
    using resource_type = typename std::decay_t<P>::resource_type;
    using selection_type = typename detail::selection_of<std::decay_t<P>>::type;
    /// What submitted functions must return; `void` when that is left to them.
    using wait_type = typename detail::wait_type_of<std::decay_t<P>>::type;

    /// True when work can be submitted without waiting for it.
    static constexpr bool has_async_submit =
        detail::submits_v<std::decay_t<P>> || detail::tries_to_submit_v<std::decay_t<P>>;
};

/// Of policies and of backends.
template <class P>
using resource_t = typename policy_traits<P>::resource_type;
template <class P>
using selection_t = typename policy_traits<P>::selection_type;
template <class P>
using wait_type_t = typename policy_traits<P>::wait_type;

/// `value` is true when `P` can submit without waiting for the work.
template <class P>
struct has_async_submit : std::bool_constant<policy_traits<P>::has_async_submit> {};
template <class P>
inline constexpr bool has_async_submit_v = has_async_submit<P>::value;

}  // namespace fairlead
