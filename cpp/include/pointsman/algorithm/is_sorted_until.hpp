// SPDX-License-Identifier: Apache-2.0
// Finds the end of the sorted beginning of a range, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/search.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns an iterator to the first value of [`first`, `last`) that `compare` orders before the value in
/// front of it, or `last` if the range is sorted. NaN is as `compare` has it: `less` orders it neither
/// before nor after other values. Otherwise like `find_if`.
template <execution::host_policy P, class It, class Compare>
It is_sorted_until([[maybe_unused]] const P& policy, It first, It last, Compare compare) noexcept {
    if constexpr (detail::indexed_iterator<It>) {
        const auto pairs = std::max<std::ptrdiff_t>(last - first - 1, 0);
        const auto sorted = detail::first_index(policy, pairs, [&](std::ptrdiff_t i) -> bool {
            return std::invoke(compare, first[i + 1], first[i]);
        });
        return sorted == pairs ? last : first + (sorted + 1);
    } else {
        return std::is_sorted_until(first, last, compare);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Compare>
It is_sorted_until(const P& policy, It first, It last, Compare) {
    const auto count = static_cast<std::size_t>(last - first);
    using function = detail::called_for<Compare, It, It>;
    return count < 2 ? last
                     : first + static_cast<std::ptrdiff_t>(
                                   1 + detail::find_neighbours<function>(
                                           policy.queue(), first, count,
                                           [] { return detail::call_of<function>("v1", "v0"); }));
}
#endif

/// Like `is_sorted_until` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
It is_sorted_until(const P& policy, It first, It last) {
    return pointsman::is_sorted_until(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(is_sorted_until);

}  // namespace pointsman
