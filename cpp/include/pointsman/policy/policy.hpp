// SPDX-License-Identifier: Apache-2.0
// The named requirement Policy: the members of a policy that the free functions need.
#pragma once

#include <concepts>
#include <vector>

#include "pointsman/policy/policy_traits.hpp"

namespace pointsman {

/// Named requirement *Policy*: the type has a `resource_type`, its own or from `policy_traits`, a
/// `get_resources()`, and at least one of `try_submit`, `submit` and `submit_and_wait`. The free functions
/// `submit` and `submit_and_wait` are derived from these members where possible. The members of a final
/// class are checked only at the call.
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
