// SPDX-License-Identifier: Apache-2.0
// Exchanges the values of two ranges, on host or device.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/permutation.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Exchanges the values of [`first`, `last`) with those at the same indices of the range beginning at
/// `second`, which must not overlap the first, and returns the end of the second. Blocks until complete.
///
/// Under a `device_policy`, both have values of the same type.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
template <execution::host_policy P, class It, class It2>
It2 swap_ranges(const P& policy, It first, It last, It2 second) {
    const auto swap_block = [&](const auto& standard, It begin, It end, It2 to) {
        return std::swap_ranges(standard, begin, end, to);
    };
    if constexpr (detail::shared_output<It>) {
        return detail::write_in_blocks(policy, first, last, second, swap_block);
    } else {
        return detail::write_in_blocks(detail::in_calling_thread(policy), first, last, second,
                                       swap_block);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_iterator It2>
    requires std::same_as<detail::iterated_t<It>, detail::iterated_t<It2>>
It2 swap_ranges(const P& policy, It first, It last, It2 second) {
    using value = detail::iterated_t<It>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return second;
    }
    const opencl::queue where = policy.queue();
    detail::rewrite_on_device(
        where, first, count, 0, count, [&](const auto& values, const cl::Buffer& scratch) {
            auto others = detail::input_values(where, second, count);
            detail::enqueue_values<value>(where, detail::array_from(others), {scratch, 0}, count);
            detail::enqueue_values<value>(where, detail::array_from(values),
                                          detail::array_from(others), count);
            others.fetch();
        });
    return second + static_cast<std::ptrdiff_t>(count);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(swap_ranges);

}  // namespace pointsman
