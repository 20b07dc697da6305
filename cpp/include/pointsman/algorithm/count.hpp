// SPDX-License-Identifier: Apache-2.0
// Counts the values that equal a given one, on host or device.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/counting.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns the number of values of [`first`, `last`) that equal `value`. Otherwise like `count_if`.
template <execution::host_policy P, class It, class T>
std::iter_difference_t<It> count(const P& policy, It first, It last, const T& value) {
    return detail::count_where(policy, first, last,
                               [&](auto&& each) { return std::equal_to<>{}(each, value); });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_value T>
std::ptrdiff_t count(const P& policy, It first, It last, const T& value) {
    using read = detail::iterated_t<It>;
    using compared = detail::compared_t<read, T>;
    const auto size = static_cast<std::size_t>(last - first);
    if (size == 0) {
        return 0;
    }
    const auto sought = static_cast<compared>(value);
    const opencl::kernel_argument constant{sought};
    return static_cast<std::ptrdiff_t>(detail::count_on_device(
        policy.queue(), first, size, [] { return detail::equals_constant<read, compared>(); },
        {&constant, 1}));
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(count);

}  // namespace pointsman
