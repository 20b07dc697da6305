// SPDX-License-Identifier: Apache-2.0
// Moves the values that satisfy a predicate to the front, on host or device.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/order_statistics.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/stable_partition.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves the values of [`first`, `last`) for which `predicate` holds before the others, in any order, and
/// returns the beginning of the second part. Otherwise like `stable_partition`.
template <execution::host_policy P, class It, class Predicate>
It partition(const P& policy, It first, It last, Predicate predicate) {
    if constexpr (detail::iterator_of_small_values<It>) {
        auto* const begin = std::to_address(first);
        return first +
               (detail::partition_values(policy, begin, begin + (last - first), predicate) - begin);
    } else {
        return detail::with_standard<It>(policy, std::pair{first, last}, [&](const auto& standard) {
            return std::partition(standard, first, last, predicate);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
It partition(const P& policy, It first, It last, Predicate predicate) {
    return pointsman::stable_partition(policy, first, last, predicate);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(partition);

}  // namespace pointsman
