// SPDX-License-Identifier: Apache-2.0
// What can be asked of the types of policies and backends.
#pragma once

#include <type_traits>

#include "fairlead/backend/backend_traits.hpp"
#include "fairlead/policy/policy_traits.hpp"

namespace oneapi::dpl::experimental {
namespace detail {
/// The `wait_type` of a policy or backend, `void` when it names none.
template <class T>
struct wait_type_of {
    using type = void;
};
template <class T>
    requires requires { typename T::wait_type; }
struct wait_type_of<T> {
    using type = typename T::wait_type;
};

template <class Policy>
struct backend_of {
    using type = void;
};
template <class Policy>
    requires requires { typename Policy::backend_type; }
struct backend_of<Policy> {
    using type = typename Policy::backend_type;
};
}  // namespace detail

using fairlead::lazy_report_v;
using fairlead::no_scratch_t;

/// Traits of a backend.
template <class Backend>
struct backend_traits : fairlead::backend_traits<Backend> {};

/// Traits of a policy. A policy wholly of the user's own that names no backend has the backend
/// `void`.
template <class Policy>
struct policy_traits {
    using resource_type = typename std::decay_t<Policy>::resource_type;
    using backend_type = typename detail::backend_of<std::decay_t<Policy>>::type;
    using selection_type = typename fairlead::policy_traits<Policy>::selection_type;

    /// What submitted functions must return; `void` leaves it to them.
    using wait_type = std::conditional_t<std::is_void_v<backend_type>,
                                         typename detail::wait_type_of<std::decay_t<Policy>>::type,
                                         typename detail::wait_type_of<backend_type>::type>;
    static constexpr bool has_wait_type_v = !std::is_void_v<wait_type>;
};

template <class Policy>
using backend_t = typename policy_traits<Policy>::backend_type;
template <class Policy>
using resource_t = typename policy_traits<Policy>::resource_type;
template <class Policy>
using selection_t = typename policy_traits<Policy>::selection_type;
template <class Policy>
using wait_t = typename policy_traits<Policy>::wait_type;
template <class Policy>
inline constexpr bool has_wait_type_v = policy_traits<Policy>::has_wait_type_v;

}  // namespace oneapi::dpl::experimental
