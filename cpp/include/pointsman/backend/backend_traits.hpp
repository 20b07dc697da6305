// SPDX-License-Identifier: Apache-2.0
// Compile-time traits of a backend: resource types, scratch space, lazy reports and required waitable.
#pragma once

#include <type_traits>
#include <vector>

namespace pointsman {

/// Scratch space of a backend that needs none.
template <class... ReportReqs>
struct no_scratch_t {};

namespace detail {
template <class Backend, class... Reqs>
struct scratch_of {
    using type = no_scratch_t<Reqs...>;
};
template <class Backend, class... Reqs>
    requires requires { typename Backend::template scratch_space_t<Reqs...>; }
struct scratch_of<Backend, Reqs...> {
    using type = typename Backend::template scratch_space_t<Reqs...>;
};
template <class Backend, class... Reqs>
    requires(
        requires { typename Backend::template scratch_t<Reqs...>; } &&
        !requires { typename Backend::template scratch_space_t<Reqs...>; })
struct scratch_of<Backend, Reqs...> {
    using type = typename Backend::template scratch_t<Reqs...>;
};

template <class Backend>
struct resources_of {
    using execution_resource_t = typename Backend::resource_type;
    using resource_container_t = std::vector<execution_resource_t>;
};
template <class Backend>
    requires requires {
        typename Backend::execution_resource_t;
        typename Backend::resource_container_t;
    }
struct resources_of<Backend> {
    using execution_resource_t = typename Backend::execution_resource_t;
    using resource_container_t = typename Backend::resource_container_t;
};

template <class T>
struct named_wait_type {
    using type = void;
};
template <class T>
    requires requires { typename T::wait_type; }
struct named_wait_type<T> {
    using type = typename T::wait_type;
};
}  // namespace detail

/// Traits of a backend.
/// Source: *Reporting Requirements and Scratch Space Contract* in the custom backends document.
template <class Backend>
struct backend_traits {
    using resource_type = typename std::decay_t<Backend>::resource_type;

    /// The type of the stored resources, and of their container: by default a `std::vector`.
    using execution_resource_t =
        typename detail::resources_of<std::decay_t<Backend>>::execution_resource_t;
    using resource_container_t =
        typename detail::resources_of<std::decay_t<Backend>>::resource_container_t;

    /// True if a policy must call `lazy_report()` before it selects. A backend that decides this at run
    /// time also has a `reports_lazily()`.
    static constexpr bool lazy_report_v = requires(std::decay_t<Backend>& b) { b.lazy_report(); };

    /// True if submitted functions must return `wait_type`, which is `void` otherwise.
    static constexpr bool has_wait_type_v = requires { typename std::decay_t<Backend>::wait_type; };
    using wait_type = typename detail::named_wait_type<std::decay_t<Backend>>::type;

    /// The type of the member `scratch_space` that a selection must store for the backend.
    template <class... ReportReqs>
    using selection_scratch_t =
        typename detail::scratch_of<std::decay_t<Backend>, ReportReqs...>::type;
};

/// True if the backend's member `borrows_selections` is true: once `submit` has returned, the backend
/// keeps a selection only in the form returned by the selection's `keep()`. A class derived from
/// `default_backend` that stores selections directly sets the member to `false`.
template <class Backend>
inline constexpr bool borrows_selections_v = requires { requires Backend::borrows_selections; };

/// `value` is true for a backend whose `lazy_report()` a policy must call before it selects.
template <class Backend>
struct lazy_report : std::bool_constant<backend_traits<Backend>::lazy_report_v> {};
template <class Backend>
inline constexpr bool lazy_report_v = lazy_report<Backend>::value;

}  // namespace pointsman
