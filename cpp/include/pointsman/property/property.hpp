// SPDX-License-Identifier: Apache-2.0
// The named requirement property, and the trait for the types of objects that a property applies to.
#pragma once

#include <concepts>
#include <type_traits>

namespace pointsman {
namespace detail {
template <class P>
concept has_default_value = requires { P::default_value(); };
template <class P, class T>
concept limits_itself = requires {
    { P::template is_applicable_property_v<T> } -> std::convertible_to<bool>;
};
/// True if `P`, or the property that `P` is a value of, has a default.
template <class P>
concept has_own_or_shared_default =
    has_default_value<P> || requires { P::property_type::default_value(); };
template <class P>
concept has_support_flags = requires {
    { P::is_requirable } -> std::convertible_to<bool>;
    { P::is_preferable } -> std::convertible_to<bool>;
};
/// True if `P` would be a property if it had a default.
template <class P>
inline constexpr bool lacks_default_v = has_support_flags<P> && !has_own_or_shared_default<P>;

template <class P>
inline constexpr bool is_requirable_v = false;
template <class P>
    requires requires { P::is_requirable; }
inline constexpr bool is_requirable_v<P> = P::is_requirable;
template <class P>
inline constexpr bool is_preferable_v = false;
template <class P>
    requires requires { P::is_preferable; }
inline constexpr bool is_preferable_v<P> = P::is_preferable;
}  // namespace detail

/// Named requirement *property*: an object that names a characteristic of an executor in a query or a
/// request. Its type has
///
/// - `static constexpr bool is_requirable` and `is_preferable`: whether `require` and `prefer` take it;
/// - `static constexpr ... default_value()`: the value for executors that do not support the property. A
///   value of a property has the default of its `property_type`;
/// - for a value of a property, `property_type`, the property that it is a value of, and `value()`, the
///   result of `query` for an executor that has the value;
/// - `polymorphic_query_result_type`: the type to which `any_executor` converts the result of every query;
/// - optionally `template <class T> static constexpr bool is_applicable_property_v`, true for the types
///   to which it applies (all types if absent), and `template <class T> static constexpr auto
///   static_query_v`, the compile-time result for types that do not define one themselves.
///
/// **Example**: a user-defined property with a default for all executors that do not support it:
///
///     struct priority_t {
///         static constexpr bool is_requirable = true, is_preferable = true;
///         using polymorphic_query_result_type = int;
///         static constexpr int default_value() { return 0; }
///         int level = 0;
///     };
///
/// Source: *Property Customization Mechanism* in the executor document.
template <class P>
concept property = std::copy_constructible<P> && detail::has_support_flags<P> &&
                   detail::has_own_or_shared_default<P>;

/// True if property `P` applies to objects of type `T`.
template <class T, class P>
inline constexpr bool is_applicable_property_v = property<P>;
template <class T, property P>
    requires detail::limits_itself<P, T>
inline constexpr bool is_applicable_property_v<T, P> = P::template is_applicable_property_v<T>;

}  // namespace pointsman
