// SPDX-License-Identifier: Apache-2.0
// Queries the types of policies and backends, under oneDPL's names.
#pragma once

#include <type_traits>

#include "pointsman/backend/backend_traits.hpp"
#include "pointsman/policy/policy_traits.hpp"

namespace oneapi::dpl::experimental {
namespace detail {
/// The scratch space that a backend defines itself: a base class may define an empty one under the
/// other spelling.
template <class Backend, class Found, class... ReportReqs>
struct scratch_of {
    using type = Found;
};
template <class Backend, class... ReportReqs>
    requires requires { typename Backend::template scratch_t<ReportReqs...>; }
struct scratch_of<Backend, pointsman::no_scratch_t<ReportReqs...>, ReportReqs...> {
    using type = typename Backend::template scratch_t<ReportReqs...>;
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

/// The `wait_type` of a policy's backend, or of a policy without one; `void` if it names none.
template <class Policy, class Backend>
struct wait_type_of : pointsman::detail::named_wait_type<Backend> {};
template <class Policy>
struct wait_type_of<Policy, void> : pointsman::detail::named_wait_type<Policy> {};
}  // namespace detail

using pointsman::lazy_report;
using pointsman::lazy_report_v;
using pointsman::no_scratch_t;

/// Traits of a backend.
template <class Backend>
struct backend_traits : pointsman::backend_traits<Backend> {
    /// The scratch space that a selection must store for the backend, as its member `scratch_space`.
    template <class... ReportReqs>
    using selection_scratch_t = typename detail::scratch_of<
        std::decay_t<Backend>,
        typename pointsman::backend_traits<Backend>::template selection_scratch_t<ReportReqs...>,
        ReportReqs...>::type;
};

/// Traits of a policy. An independent user-defined policy that names no backend has the backend `void`.
template <class Policy>
struct policy_traits {
    using resource_type = typename std::decay_t<Policy>::resource_type;
    using backend_type = typename detail::backend_of<std::decay_t<Policy>>::type;
    using selection_type = typename pointsman::policy_traits<Policy>::selection_type;

    /// The type that submitted functions must return; `void` if any.
    using wait_type = typename detail::wait_type_of<std::decay_t<Policy>, backend_type>::type;
    static constexpr bool has_wait_type_v = !std::is_void_v<wait_type>;

    /// True when work can be submitted without waiting for it.
    static constexpr bool has_async_submit = pointsman::policy_traits<Policy>::has_async_submit;
};

template <class Policy>
using backend_t = typename policy_traits<Policy>::backend_type;
/// The resource type of a policy or a backend.
template <class Policy>
using resource_t = typename policy_traits<Policy>::resource_type;
template <class Policy>
using selection_t = typename policy_traits<Policy>::selection_type;
template <class Policy>
using wait_t = typename policy_traits<Policy>::wait_type;
template <class Policy>
using wait_type_t = typename policy_traits<Policy>::wait_type;
template <class Policy>
inline constexpr bool has_wait_type_v = policy_traits<Policy>::has_wait_type_v;

/// The same traits, each under a separate name.
template <class Policy>
struct resource {
    using type = resource_t<Policy>;
};
template <class Policy>
struct selection {
    using type = selection_t<Policy>;
};
template <class Policy>
struct wait_type {
    using type = wait_type_t<Policy>;
};

}  // namespace oneapi::dpl::experimental
