// SPDX-License-Identifier: Apache-2.0
// Sets all values of a range to one value, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Writes `value` to every element of [`first`, `last`). Blocks until complete.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
template <execution::host_policy P, class It, class T>
void fill(const P& policy, It first, It last, const T& value) {
    detail::change_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        std::fill(standard, begin, end, value);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class T>
void fill(const P& policy, It first, It last, const T& value) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count != 0) {
        detail::fill_on_device(policy.queue(), first, count,
                               static_cast<detail::iterated_t<It>>(value));
    }
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(fill);

}  // namespace pointsman
