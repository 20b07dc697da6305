// SPDX-License-Identifier: Apache-2.0
// Finds the first value that equals a given one, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns an iterator to the first value of [`first`, `last`) that equals `value`, or `last` if there is
/// none. Otherwise like `find_if`.
template <execution::host_policy P, class It, class T>
It find(const P& policy, It first, It last, const T& value) {
    return detail::find_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        return std::find(standard, begin, end, value);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_value T>
It find(const P& policy, It first, It last, const T& value) {
    using read = detail::iterated_t<It>;
    using compared = detail::compared_t<read, T>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return last;
    }
    const auto sought = static_cast<compared>(value);
    const opencl::kernel_argument constant{sought};
    return first + static_cast<std::ptrdiff_t>(detail::find_on_device(
                       policy.queue(), first, count,
                       [] { return detail::equals_constant<read, compared>(); }, {&constant, 1}));
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(find);

}  // namespace pointsman
