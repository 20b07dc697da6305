// SPDX-License-Identifier: Apache-2.0
// The named requirement Policy.
#pragma once

#include <concepts>
#include <vector>

#include "fairlead/policy/policy_traits.hpp"

namespace fairlead {

/// Named requirement *Policy*: it names its resources and can submit in at least one of the three
/// ways, from which the free functions derive the others. The class must not be final.
/// Source: *New Public API Contract* in the custom policies document.
template <class T>
concept policy = requires(T& p) {
    typename T::resource_type;
    { p.get_resources() } -> std::convertible_to<std::vector<typename T::resource_type>>;
} && (detail::tries_to_submit_v<T> || detail::submits_v<T> || detail::submits_and_waits_v<T>);

}  // namespace fairlead
