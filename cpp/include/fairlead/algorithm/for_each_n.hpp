// SPDX-License-Identifier: Apache-2.0
// The algorithm for_each_n.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "fairlead/algorithm/auto_dispatch.hpp"
#include "fairlead/algorithm/for_each.hpp"

namespace fairlead {

/// Calls `f` with each of `count` values from `first` on, and returns the place past the last: see `for_each`.
template <execution::host_policy P, class It, class Size, class F>
It for_each_n(const P& policy, It first, Size count, F f) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    fairlead::for_each(policy, first, last, std::move(f));
    return last;
}

#ifndef FAIRLEAD_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Size,
          changes_at_address<detail::iterated_t<It>> F>
It for_each_n(const P& policy, It first, Size count, F f) {
    if (count <= 0) {
        return first;
    }
    const It last = first + static_cast<std::ptrdiff_t>(count);
    fairlead::for_each(policy, first, last, f);
    return last;
}
#endif

FAIRLEAD_TAKES_AUTO_POLICY(for_each_n);

}  // namespace fairlead
