// SPDX-License-Identifier: Apache-2.0
// Reverses a range, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/in_parts.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/permutation.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Reverses the order of the values of [`first`, `last`). Blocks until complete.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
/// **Cost**: a device needs memory for a second array.
template <execution::host_policy P, class It>
void reverse(const P& policy, It first, It last) {
    if constexpr (detail::shared_output<It>) {
        const It middle = first + (last - first) / 2;
        detail::in_parts(policy, first, middle, [&](It begin, It end) {
            std::swap_ranges(begin, end, std::make_reverse_iterator(last - (begin - first)));
        });
    } else {
        std::reverse(detail::standard_alone(policy), first, last);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It>
void reverse(const P& policy, It first, It last) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count < 2) {
        return;
    }
    const opencl::queue where = policy.queue();
    detail::rewrite_on_device(where, first, count, 0, count,
                              [&](const auto& values, const cl::Buffer& scratch) {
                                  detail::enqueue_reversed<It, detail::iterated_t<It>>(
                                      where, values, {scratch, 0}, count);
                              });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(reverse);

}  // namespace pointsman
