// SPDX-License-Identifier: Apache-2.0
// Removes the values that equal a given one from a range, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/compaction.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/compaction.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves the values of [`first`, `last`) that do not equal `value` to the front, keeps their order, and
/// returns the iterator past them. The values after it are unspecified. `value` may be
/// one of them if it can be copied as it is in memory and has at most 16 bytes; otherwise it must not.
/// Otherwise like `copy_if`.
template <execution::host_policy P, class It, class T>
It remove(const P& policy, It first, It last, const T& value) {
    if constexpr (detail::iterator_of_small_values<It>) {
        // `value` may be one of the values, which are overwritten.
        constexpr bool is_small =
            std::is_trivially_copyable_v<T> && !std::is_array_v<T> && sizeof(T) <= 16;
        const std::conditional_t<is_small, T, const T&> removed = value;
        return detail::copy_kept(policy, first, last, first,
                                 [&](const auto& each) { return !(each == removed); });
    } else {
        return detail::with_standard<It>(policy, std::pair{first, last}, [&](const auto& standard) {
            return std::remove(standard, first, last, value);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_value T>
It remove(const P& policy, It first, It last, const T& value) {
    using read = detail::iterated_t<It>;
    using compared = detail::compared_t<read, T>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return last;
    }
    const auto removed = static_cast<compared>(value);
    return detail::keep_selected(policy.queue(), first, count,
                                 [] { return detail::differs_from_constant<read, compared>(); },
                                 {opencl::kernel_argument{removed}});
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(remove);

}  // namespace pointsman
