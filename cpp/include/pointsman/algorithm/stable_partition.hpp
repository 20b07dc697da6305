// SPDX-License-Identifier: Apache-2.0
// Moves the values that satisfy a predicate to the front and keeps their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/order_statistics.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/compaction.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves the values of [`first`, `last`) for which `predicate` holds before the others, keeps the order
/// within both parts, and returns the beginning of the second. Otherwise like `copy_if`.
/// **Cost**: memory for a second array; a device examines the values twice.
template <execution::host_policy P, class It, class Predicate>
It stable_partition(const P& policy, It first, It last, Predicate predicate) {
    if constexpr (detail::iterator_of_small_values<It>) {
        using value = std::iter_value_t<It>;
        auto* const begin = std::to_address(first);
        auto* const end = begin + (last - first);
        auto* const high = detail::first_high(begin, end, predicate);
        if (high == end) {
            return last;
        }
        const auto count = static_cast<std::size_t>(end - high);
        const std::unique_ptr<std::byte[]> memory{new (std::nothrow)
                                                      std::byte[count * sizeof(value)]};
        if (memory != nullptr) {
            auto* const copy = reinterpret_cast<value*>(memory.get());
            auto* const middle =
                detail::partition_values_stably(policy, high, end, copy, predicate);
            return first + (middle - begin);
        }
    }
    return detail::with_standard<It>(policy, std::pair{first, last}, [&](const auto& standard) {
        return std::stable_partition(standard, first, last, predicate);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
It stable_partition(const P& policy, It first, It last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? last : detail::partition_on_device<Predicate>(policy.queue(), first, count);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(stable_partition);

}  // namespace pointsman
