// SPDX-License-Identifier: Apache-2.0
// The customisation point query: returns the value that a property has for an executor.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "pointsman/property/detail/property_value.hpp"
#include "pointsman/property/property.hpp"

namespace pointsman {
namespace detail::query_impl {

void query() = delete;  // hides the object of the same name from argument-dependent lookup

template <class T, class P>
concept by_member = requires(const T& object, const P& p) { object.query(p); };
template <class T, class P>
concept by_function = requires(const T& object, const P& p) { query(object, p); };
/// The object itself answers a query of `P`.
template <class T, class P>
concept answered = by_member<T, P> || by_function<T, P>;
template <class P>
concept is_value = requires { typename P::property_type; };

/// `T` has a static `query` that can be evaluated at compile time.
template <class T, class P>
concept by_static_member = std::default_initializable<P> && requires {
    typename std::bool_constant<(static_cast<void>(T::query(P{})), true)>;
};
template <class T, class P>
concept by_property = requires { P::template static_query_v<T>; };

template <class T, class P>
consteval auto static_answer() {
    if constexpr (by_static_member<T, P>) {
        return T::query(P{});
    } else if constexpr (by_property<P, T>) {
        return P::template static_query_v<T>;
    } else {
        return P::default_value();
    }
}

template <class P>
concept has_values = requires { typename P::values; };

/// The first of `Values` that an object answers a query of, otherwise `P`.
template <class T, class P, class Values>
struct first_answered {
    using type = P;
};
template <class T, class P, class Value, class... More>
struct first_answered<T, P, property_values<Value, More...>>
    : first_answered<T, P, property_values<More...>> {};
template <class T, class P, class Value, class... More>
    requires answered<T, Value>
struct first_answered<T, P, property_values<Value, More...>> {
    using type = Value;
};

/// The property that is queried in place of `P`. An object that does not answer for a value may answer
/// for the whole property, and vice versa: the values exclude one another, so the answer for one of
/// them is the value of the property.
template <class T, class P>
struct asked {
    using type = P;
};
template <class T, has_values P>
    requires(!answered<T, P>)
struct asked<T, P> : first_answered<T, P, typename P::values> {};
template <class T, is_value P>
    requires(!answered<T, P>)
struct asked<T, P> : asked<T, typename P::property_type> {};
template <class T, class P>
using asked_t = typename asked<T, P>::type;

/// True if the default of a property applies to objects that do not answer a query of it. A wrapper of
/// another object, which may answer, sets `static constexpr bool has_defaults = false`.
template <class T>
inline constexpr bool has_defaults_v = true;
template <class T>
    requires requires { T::has_defaults; }
inline constexpr bool has_defaults_v<T> = T::has_defaults;

template <class T, class P>
concept known_when_compiled = by_static_member<T, P> || by_property<P, T> ||
                              (!answered<T, P> && has_default_value<P> && has_defaults_v<T>);

struct function {
    /// Returns the value of property `p` for `object`, from the first of: a static member `query` or
    /// the property's own `static_query_v`, at compile time; `object.query(p)`; a free
    /// `query(object, p)` in the object's namespace; the property's default. If `p` is a value of a
    /// property, returns the value of the property.
    /// **Throws**: what the object's `query` throws.
    /// **Cost**: nothing at run time if `static_query_v<T, P>` exists.
    template <class T, class P>
    constexpr decltype(auto) operator()(const T& object, const P& p) const {
        static_assert(!lacks_default_v<P>,
                      "pointsman::query: this property has no default: give it a static "
                      "default_value(), which holds for executors that do not know it");
        using asked = asked_t<T, P>;
        static_assert(is_applicable_property_v<T, P>,
                      "pointsman::query: this property does not apply to this type: ask "
                      "can_query_v<T, P> first");
        if constexpr (known_when_compiled<T, asked>) {
            return static_answer<T, asked>();
        } else if constexpr (!std::same_as<asked, P>) {
            return (*this)(object, asked{});
        } else if constexpr (by_member<T, P>) {
            return object.query(p);
        } else {
            static_assert(
                by_function<T, P>,
                "pointsman::query: the executor does not know this property, which has no "
                "default there: give the property a static default_value(), or the executor "
                "a query(property), or name it in the list of an any_executor; ask "
                "can_query_v<T, P> first");
            if constexpr (by_function<T, P>) {
                return query(object, p);
            }
        }
    }
};

}  // namespace detail::query_impl

/// Queries a property of an executor: `query(executor, blocking)`.
inline constexpr detail::query_impl::function query{};

/// True if `query(t, p)` compiles.
template <class T, class P>
inline constexpr bool can_query_v =
    is_applicable_property_v<T, P> &&
    (detail::query_impl::answered<T, detail::query_impl::asked_t<T, P>> ||
     detail::query_impl::known_when_compiled<T, detail::query_impl::asked_t<T, P>>);

/// The result of `query` for all objects of type `T`; exists only if it is known at compile time.
template <class T, class P>
    requires detail::query_impl::known_when_compiled<T, detail::query_impl::asked_t<T, P>>
inline constexpr auto static_query_v =
    detail::query_impl::static_answer<T, detail::query_impl::asked_t<T, P>>();

}  // namespace pointsman
