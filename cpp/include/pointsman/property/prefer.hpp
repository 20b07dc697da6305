// SPDX-License-Identifier: Apache-2.0
// The customisation point prefer: gives an executor a property if the executor supports it.
#pragma once

#include <type_traits>
#include <utility>

#include "pointsman/property/property.hpp"
#include "pointsman/property/require.hpp"

namespace pointsman {
namespace detail::prefer_impl {

void prefer() = delete;  // hides the object of the same name from argument-dependent lookup

template <class T, class P>
concept has_member = requires(const T& object, const P& p) { object.prefer(p); };
template <class T, class P>
concept by_member =
    has_member<T, P> &&
    !require_impl::loses_derived_members<
        T,
        std::remove_cvref_t<decltype(std::declval<const T&>().prefer(std::declval<const P&>()))>>;
template <class T, class P>
concept by_function = requires(const T& object, const P& p) { prefer(object, p); };

struct function {
    /// Returns an executor like `object` that has the property `p` if possible, otherwise `object`
    /// itself. Calls the member `prefer(p)` or a free `prefer` in the object's namespace if there is
    /// one, otherwise `require` if it accepts the property.
    /// **Throws**: what the object's `prefer` or `require` throws.
    template <class T, class P>
    constexpr auto operator()(const T& object, const P& p) const {
        static_assert(!lacks_default_v<P>,
                      "pointsman::prefer: this property has no default: give it a static "
                      "default_value(), which holds for executors that do not know it");
        static_assert(is_applicable_property_v<T, P> && is_preferable_v<P>,
                      "pointsman::prefer: this property cannot be preferred, only queried: prefer "
                      "one of its values, such as blocking.never; check can_prefer_v<T, P> first");
        if constexpr (require_impl::already<T, P>) {
            return object;
        } else if constexpr (by_member<T, P>) {
            return object.prefer(p);
        } else if constexpr (by_function<T, P>) {
            return prefer(object, p);
        } else if constexpr (require_impl::possible<T, P>) {
            return require(object, p);
        } else {
            return object;
        }
    }

    /// Applies one property after the other.
    template <class T, class P, class Q, class... More>
    constexpr auto operator()(const T& object, const P& p, const Q& q, const More&... more) const {
        return (*this)((*this)(object, p), q, more...);
    }
};

}  // namespace detail::prefer_impl

/// Gives an executor properties that it should have: `prefer(executor, blocking.never)`.
inline constexpr detail::prefer_impl::function prefer{};

/// True if `prefer(t, ps...)` compiles, that is, if all of the properties can be preferred.
template <class T, class... Ps>
inline constexpr bool can_prefer_v =
    ((is_applicable_property_v<T, Ps> && detail::is_preferable_v<Ps>) && ...);

}  // namespace pointsman
