// SPDX-License-Identifier: Apache-2.0
// Applies a function of one or two arguments to each value of a range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Writes `f(x)` for each `x` of [`first`, `last`) to the range beginning at `out`, which may be the input
/// range, and returns the end of the output. Blocks until complete.
///
/// Under a `device_policy`, `f` is a `device_function`, values are integers, `float`, `double` or `half`,
/// and the iterators may be those of an `opencl::buffer`, whose values stay on the device.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `f` ends the program, as the standard requires.
/// **Example**: `pointsman::transform(pointsman::execution::par, x.begin(), x.end(), y.begin(), f);`
template <execution::host_policy P, class In, class Out, class F>
Out transform(const P& policy, In first, In last, Out out, F f) {
    return detail::write_in_blocks(policy, first, last, out,
                                   [&](const auto& standard, In begin, In end, Out to) {
                                       return std::transform(standard, begin, end, to, f);
                                   });
}
/// Like `transform` above, but writes `f(x, y)`, where `y` is at the index of `x` in the range beginning
/// at `second`.
template <execution::host_policy P, class In, class In2, class Out, class F>
Out transform(const P& policy, In first, In last, In2 second, Out out, F f) {
    const auto write = [&](const auto& standard, In begin, In end, Out to) {
        return std::transform(standard, begin, end, std::next(second, std::distance(first, begin)),
                              to, f);
    };
    if constexpr (detail::indexed_iterator<In2>) {
        return detail::write_in_blocks(policy, first, last, out, write);
    } else {
        return detail::write_in_blocks(detail::in_calling_thread(policy), first, last, out, write);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_function F>
Out transform(const P& policy, In first, In last, Out out, F) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out : detail::map_on_device<F>(policy.queue(), count, out, first);
}
template <execution::on_device P, device_iterator In, device_iterator In2, device_iterator Out,
          device_function F>
Out transform(const P& policy, In first, In last, In2 second, Out out, F) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out : detail::map_on_device<F>(policy.queue(), count, out, first, second);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(transform);

}  // namespace pointsman
