// SPDX-License-Identifier: Apache-2.0
// The named requirement of what a policy chooses from.
#pragma once

#include <concepts>
#include <type_traits>
#include <vector>

namespace pointsman {

/// What a policy can choose: a value or an object that a `std::vector` can hold and copy. Functions
/// receive it by value or const reference. What cannot be copied is passed by pointer, with an
/// adapter where a backend needs the thing itself.
/// Source: *get_resources() Implementation* in the custom backends document.
template <class T>
concept resource = std::is_object_v<T> && !std::is_const_v<T> && std::copy_constructible<T>;

namespace detail {
/// Any resource, where a template of the library is held to its requirement: nobody specialises a
/// template for it, so nothing is instantiated that a user could still specialise.
struct sample_resource {};

template <class T>
inline constexpr bool is_vector_v = false;
template <class T, class Allocator>
inline constexpr bool is_vector_v<std::vector<T, Allocator>> = true;

/// A resource of which `policy{{a, b}}` deduces the type. In `policy{set}` the vector is the set.
template <class T>
concept listed_resource = resource<T> && !is_vector_v<T>;
}  // namespace detail

static_assert(resource<detail::sample_resource>);

}  // namespace pointsman
