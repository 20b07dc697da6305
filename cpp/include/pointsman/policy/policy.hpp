// SPDX-License-Identifier: Apache-2.0
// The named requirement Policy.
#pragma once

#include <concepts>
#include <vector>

#include "pointsman/policy/policy_traits.hpp"

namespace pointsman {

/// Named requirement *Policy*: it names its resources, itself or in its `policy_traits`, and can submit in
/// at least one of the three ways, from which the free functions derive the others. Whether a final class
/// can is found out where it is called.
/// Source: *New Public API Contract* in the custom policies document.
template <class T>
concept policy =
    requires(T& p) {
        typename policy_traits<T>::resource_type;
        {
            p.get_resources()
        } -> std::convertible_to<std::vector<typename policy_traits<T>::resource_type>>;
    } && (detail::tries_to_submit_v<T> || detail::submits_v<T> || detail::submits_and_waits_v<T> ||
          detail::sealed<T>);

}  // namespace pointsman
