// SPDX-License-Identifier: Apache-2.0
// The named requirement of the state in which a policy keeps its rule.
#pragma once

#include <concepts>
#include <cstddef>

namespace fairlead {

/// The `state_type` of a policy whose rule is a member of its state: `choice` is what one look finds,
/// and its `index` is the position of the resource in the set. `choose(thread, f, args...)`, which
/// returns a `choice` or a `std::optional` of it, is checked where it is called. `policy_base` says
/// how a state is made and what else it may have.
template <class T>
concept policy_state =
    std::move_constructible<typename T::choice> && requires(const typename T::choice& chosen) {
        { chosen.index } -> std::convertible_to<std::size_t>;
    };

}  // namespace fairlead
