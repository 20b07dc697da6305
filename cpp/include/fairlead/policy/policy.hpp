// SPDX-License-Identifier: Apache-2.0
// The named requirement Policy.
#pragma once

#include <concepts>
#include <vector>

#include "fairlead/policy/policy_traits.hpp"

namespace fairlead {

/// Named requirement *Policy*: it names its resources and can submit in at least one of the three
/// ways, from which the free functions derive the others.
/// Source: *New Public API Contract* in the custom policies document.
template <class T>
concept policy = requires(T& p, detail::any_function f) {
    typename T::resource_type;
    { p.get_resources() } -> std::convertible_to<std::vector<typename T::resource_type>>;
} && (requires(T& p, detail::any_function f) { p.try_submit(f); } ||
      requires(T& p, detail::any_function f) { p.submit(f); } ||
      requires(T& p, detail::any_function f) { p.submit_and_wait(f); });

}  // namespace fairlead
