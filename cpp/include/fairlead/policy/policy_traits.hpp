// SPDX-License-Identifier: Apache-2.0
// What can be asked of a policy's type.
#pragma once

#include <type_traits>

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

/// Stands for a submitted function when only its presence matters.
struct any_function {
    template <class... Args>
    void operator()(Args&&...) const {}
};
}  // namespace detail

/// Traits of a policy.
/// Source: *Policy Traits* in the dynamic selection and the custom policies documents.
template <class P>
struct policy_traits {
    using resource_type = typename std::decay_t<P>::resource_type;
    using selection_type = typename detail::selection_of<std::decay_t<P>>::type;

    /// True when work can be submitted without waiting for it.
    static constexpr bool has_async_submit =
        requires(std::decay_t<P>& p, detail::any_function f) { p.submit(f); } ||
        requires(std::decay_t<P>& p, detail::any_function f) { p.try_submit(f); };
};

template <class P>
using resource_t = typename policy_traits<P>::resource_type;
template <class P>
using selection_t = typename policy_traits<P>::selection_type;

namespace detail {
template <class T>
struct wait_type_of {
    using type = typename std::decay_t<T>::wait_type;
};
template <class T>
    requires requires { typename std::decay_t<T>::backend_type::wait_type; }
struct wait_type_of<T> {
    using type = typename std::decay_t<T>::backend_type::wait_type;
};
}  // namespace detail

/// The type that submitted functions must return, for policies and backends that name one.
template <class T>
using wait_type_t = typename detail::wait_type_of<T>::type;

}  // namespace fairlead
