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
    It found = first;
    detail::in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        if (found == begin) {  // nothing found so far
            found = std::find(standard, begin, end, value);
        }
    });
    return found;
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
    const opencl::queue where = policy.queue();
    return first + opencl::detail::translated([&] {
               const auto values = detail::input_values(where, first, count);
               const detail::engine::array arrays[] = {detail::array_from(values)};
               const auto sought = static_cast<compared>(value);
               const opencl::kernel_argument constant{sought};
               return static_cast<std::ptrdiff_t>(detail::find_index(
                   where, count, arrays, [] { return detail::equals_constant<read, compared>(); },
                   {&constant, 1}));
           });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(find);

}  // namespace pointsman
