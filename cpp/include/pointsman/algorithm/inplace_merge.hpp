// SPDX-License-Identifier: Apache-2.0
// Merges the two sorted parts of a range, stably, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/sorted_ranges.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#endif

namespace pointsman {

/// Merges [`first`, `middle`) and [`middle`, `last`), both sorted by `compare`, so that the whole range is
/// sorted. Among values that are equivalent by `compare`, those of the first part come first. Otherwise
/// like `merge`.
/// **Cost**: several threads, and a device, need memory for a second array.
template <execution::host_policy P, class It, class Compare>
void inplace_merge(const P& policy, It first, It middle, It last, Compare compare) {
    detail::with_sorted<It>(policy, std::pair{first, middle}, std::pair{middle, last}, compare,
                            [&](const auto& standard, const auto& order) {
                                std::inplace_merge(standard, first, middle, last, order);
                            });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Compare>
void inplace_merge(const P& policy, It first, It middle, It last, Compare compare) {
    using value = detail::iterated_t<It>;
    if (first == middle || middle == last) {
        return;
    }
    opencl::detail::translated([&] {
        const auto count = static_cast<std::size_t>(last - first);
        const opencl::pooled_buffer memory = policy.queue().take_buffer(count * sizeof(value));
        const opencl::buffer<value> merged{memory.handle(), count};
        pointsman::merge(policy, first, middle, middle, last, begin(merged), compare);
        pointsman::copy(policy, begin(merged), end(merged), first);
    });
}
#endif

/// Like `inplace_merge` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
void inplace_merge(const P& policy, It first, It middle, It last) {
    pointsman::inplace_merge(policy, first, middle, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(inplace_merge);

}  // namespace pointsman
