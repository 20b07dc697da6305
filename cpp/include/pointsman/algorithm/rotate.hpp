// SPDX-License-Identifier: Apache-2.0
// Exchanges the two parts of a range, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/permutation.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves [`middle`, `last`) before [`first`, `middle`), keeps the order of each part, and returns the new
/// place of the value at `first`. Blocks until complete.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
/// **Cost**: several threads, and a device, need memory for a second array.
template <execution::host_policy P, class It>
It rotate(const P& policy, It first, It middle, It last) {
    return detail::with_standard<It>(policy, std::pair{first, last}, [&](const auto& standard) {
        return std::rotate(standard, first, middle, last);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It>
It rotate(const P& policy, It first, It middle, It last) {
    using value = detail::iterated_t<It>;
    const auto count = static_cast<std::size_t>(last - first);
    const auto left = static_cast<std::size_t>(middle - first);
    if (left == 0 || left == count) {
        return left == 0 ? last : first;
    }
    const opencl::queue where = policy.queue();
    detail::rewrite_on_device(
        where, first, count, 0, count, [&](const auto& values, const cl::Buffer& scratch) {
            detail::enqueue_values<value>(where, detail::array_from(values, left), {scratch, 0},
                                          count - left);
            detail::enqueue_values<value>(where, detail::array_from(values),
                                          {scratch, count - left}, left);
        });
    return first + (last - middle);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(rotate);

}  // namespace pointsman
