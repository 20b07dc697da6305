// SPDX-License-Identifier: Apache-2.0
// `for_each` for a range given by its first value and its length.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/for_each.hpp"

namespace pointsman {

/// Calls `f` with each of the `count` values beginning at `first`, and returns the iterator past the
/// last. See `for_each`.
template <execution::host_policy P, class It, class Size, class F>
It for_each_n(const P& policy, It first, Size count, F f) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    pointsman::for_each(policy, first, last, std::move(f));
    return last;
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Size,
          changes_at_address<detail::iterated_t<It>> F>
It for_each_n(const P& policy, It first, Size count, F f) {
    if (count <= 0) {
        return first;
    }
    const It last = first + static_cast<std::ptrdiff_t>(count);
    pointsman::for_each(policy, first, last, f);
    return last;
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(for_each_n);

}  // namespace pointsman
