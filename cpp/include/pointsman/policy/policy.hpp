// SPDX-License-Identifier: Apache-2.0
// The requirement Policy: the least that the free functions need of a policy.
#pragma once

#include <concepts>
#include <vector>

#include "pointsman/policy/policy_traits.hpp"

namespace pointsman {

/// Named requirement *Policy*: it has a resource type, named by itself or by its `policy_traits`, and
/// submits in at least one of three ways: `try_submit`, `submit`, `submit_and_wait`. The free functions
/// derive the other ways from it. A final class is checked where it is called.
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
