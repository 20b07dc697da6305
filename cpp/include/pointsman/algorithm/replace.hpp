// SPDX-License-Identifier: Apache-2.0
// Replaces the values that equal an old one, on host or device.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/replacement.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/replace_copy.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Replaces each value of [`first`, `last`) that equals `old_value` by `new_value`. Otherwise like
/// `replace_if`.
template <execution::host_policy P, class It, class T>
void replace(const P& policy, It first, It last, const T& old_value, const T& new_value) {
    if constexpr (detail::iterator_of_small_values<It> && std::is_trivially_copyable_v<T>) {
        // A copy, as the value may be an element of the range.
        detail::replace_in_blocks(
            policy, first, last,
            [old = old_value](auto& value) { return std::equal_to<>{}(value, old); }, new_value);
    } else {
        detail::change_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
            std::replace(standard, begin, end, old_value, new_value);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_value T>
void replace(const P& policy, It first, It last, const T& old_value, const T& new_value) {
    pointsman::replace_copy(policy, first, last, first, old_value, new_value);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(replace);

}  // namespace pointsman
