// SPDX-License-Identifier: Apache-2.0
// Finds the first value that does not satisfy a predicate, on host or device.
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

/// Returns an iterator to the first value of [`first`, `last`) for which `predicate` does not hold, or
/// `last` if there is none. Otherwise like `find_if`.
template <execution::host_policy P, class It, class Predicate>
It find_if_not(const P& policy, It first, It last, Predicate predicate) {
    return detail::find_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        return std::find_if_not(standard, begin, end, predicate);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
It find_if_not(const P& policy, It first, It last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return last;
    }
    return first +
           static_cast<std::ptrdiff_t>(detail::find_on_device(policy.queue(), first, count, [] {
               return detail::fails<Predicate, detail::iterated_t<It>>();
           }));
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(find_if_not);

}  // namespace pointsman
