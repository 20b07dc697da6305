// SPDX-License-Identifier: Apache-2.0
// The named requirement of types that a policy can choose from.
#pragma once

#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace pointsman {

/// A type that a policy can choose from: a value or an object that a `std::vector` can hold and copy.
/// Functions receive it by value or const reference. Objects that cannot be copied are passed by
/// pointer, with an adapter if a backend needs the object itself.
/// Source: *get_resources() Implementation* in the custom backends document.
template <class T>
concept resource = std::is_object_v<T> && !std::is_const_v<T> && std::copy_constructible<T>;

namespace detail {
/// A resource on which the library checks its templates against their requirements. It is not a user's
/// type, so the checks instantiate no template that a user could still specialise.
struct sample_resource {};

/// True if two objects can be compared by `==`. The standard's templates declare `==` for any elements, which
/// then does not compile for elements without it.
template <class T>
inline constexpr bool has_equality_v = std::equality_comparable<T>;
template <class T, class Allocator>
inline constexpr bool has_equality_v<std::vector<T, Allocator>> = has_equality_v<T>;
template <class T>
inline constexpr bool has_equality_v<std::optional<T>> = has_equality_v<T>;
template <class... Ts>
inline constexpr bool has_equality_v<std::variant<Ts...>> = (has_equality_v<Ts> && ...);
template <class... Ts>
inline constexpr bool has_equality_v<std::tuple<Ts...>> = (has_equality_v<Ts> && ...);
template <class T, class U>
inline constexpr bool has_equality_v<std::pair<T, U>> = has_equality_v<T> && has_equality_v<U>;

template <class T>
inline constexpr bool is_vector_v = false;
template <class T, class Allocator>
inline constexpr bool is_vector_v<std::vector<T, Allocator>> = true;

/// A resource from which `policy{{a, b}}` deduces the type. In `policy{set}` the vector is the set.
template <class T>
concept listed_resource = resource<T> && !is_vector_v<T>;
}  // namespace detail

static_assert(resource<detail::sample_resource>);

}  // namespace pointsman
