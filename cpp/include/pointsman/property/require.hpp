// SPDX-License-Identifier: Apache-2.0
// The customisation point require: gives an executor a property, or does not compile.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "pointsman/property/property.hpp"
#include "pointsman/property/query.hpp"

namespace pointsman {
namespace detail::require_impl {

void require() = delete;  // hides the object of the same name from argument-dependent lookup

/// `Result`, returned by a member that `T` inherits, is the base class of `T`, an executor of pointsman:
/// returning it would discard the members that `T` adds.
template <class T, class Result>
concept loses_derived_members =
    requires {
        typename T::provided_type;
        typename Result::provided_type;
    } && !std::same_as<T, typename T::provided_type> &&
    std::same_as<Result, typename Result::provided_type>;

template <class T, class P>
concept has_member = requires(const T& object, const P& p) { object.require(p); };
template <class T, class P>
concept loses_by_member =
    has_member<T, P> &&
    loses_derived_members<T, std::remove_cvref_t<decltype(std::declval<const T&>().require(
                                 std::declval<const P&>()))>>;
template <class T, class P>
concept by_member = has_member<T, P> && !loses_by_member<T, P>;
template <class T, class P>
concept by_function = requires(const T& object, const P& p) { require(object, p); };

template <class T, class P>
consteval bool holds_already() {
    if constexpr (requires { P::value() == static_query_v<T, P>; }) {
        return P::value() == static_query_v<T, P>;
    } else {
        return false;
    }
}
/// Every object of type `T` has the property, so `require` returns it unchanged.
template <class T, class P>
concept already = holds_already<T, P>();

template <class T, class P>
concept possible = is_applicable_property_v<T, P> && is_requirable_v<P> &&
                   (already<T, P> || by_member<T, P> || by_function<T, P>);

struct function {
    /// Returns an executor like `object` that has the property `p`: `object` itself if its type always
    /// has the property, otherwise the result of `object.require(p)` or of a free `require(object, p)`
    /// in the object's namespace. The result may be of another type.
    /// Does not compile, with an explanation, if the executor cannot have the property: check
    /// `can_require_v<T, P>`, or use `prefer`.
    /// **Throws**: what the object's `require` throws.
    template <class T, class P>
    constexpr auto operator()(const T& object, const P& p) const {
        static_assert(!lacks_default_v<P>,
                      "pointsman::require: this property has no default: give it a static "
                      "default_value(), which holds for executors that do not know it");
        static_assert(is_requirable_v<P>,
                      "pointsman::require: this property cannot be required, only queried: require "
                      "one of its values, such as blocking.never");
        static_assert(already<T, P> || !loses_by_member<T, P>,
                      "pointsman::require: this executor is derived from another, whose require "
                      "returns an object without the members of the derived class: give the "
                      "derived class a require(property) that returns its own type");
        static_assert(possible<T, P>,
                      "pointsman::require: this executor cannot have this property: use prefer, "
                      "which then returns the executor unchanged, or another executor; check "
                      "can_require_v<T, P> first");
        if constexpr (already<T, P>) {
            return object;
        } else if constexpr (by_member<T, P>) {
            return object.require(p);
        } else if constexpr (by_function<T, P>) {
            return require(object, p);
        }
    }

    /// Applies one property after the other.
    template <class T, class P, class Q, class... More>
    constexpr auto operator()(const T& object, const P& p, const Q& q, const More&... more) const {
        return (*this)((*this)(object, p), q, more...);
    }
};

template <class T, class... Ps>
struct all_possible : std::true_type {};
template <class T, class P, class... Ps>
struct all_possible<T, P, Ps...> : std::false_type {};
template <class T, class P, class... Ps>
    requires possible<T, P>
struct all_possible<T, P, Ps...>
    : all_possible<decltype(function{}(std::declval<const T&>(), std::declval<const P&>())),
                   Ps...> {};

}  // namespace detail::require_impl

/// Gives an executor properties that it must have: `require(executor, blocking.never)`.
inline constexpr detail::require_impl::function require{};

/// True if `require(t, ps...)` compiles.
template <class T, class... Ps>
inline constexpr bool can_require_v = detail::require_impl::all_possible<T, Ps...>::value;

}  // namespace pointsman
