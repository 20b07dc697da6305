// SPDX-License-Identifier: Apache-2.0
// `fill` for a range given by its first value and its length.
#pragma once

#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/fill.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Writes `value` to the `count` elements beginning at `first`, and returns the iterator past the last. See
/// `fill`.
template <execution::host_policy P, class It, class Size, class T>
It fill_n(const P& policy, It first, Size count, const T& value) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    pointsman::fill(policy, first, last, value);
    return last;
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Size, class T>
It fill_n(const P& policy, It first, Size count, const T& value) {
    if (count <= 0) {
        return first;
    }
    const It last = first + static_cast<std::ptrdiff_t>(count);
    pointsman::fill(policy, first, last, value);
    return last;
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(fill_n);

}  // namespace pointsman
