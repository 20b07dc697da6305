// SPDX-License-Identifier: Apache-2.0
// `generate` for a range given by its first value and its length.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/generate.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Writes the result of a call `f()` to each of the `count` elements beginning at `first`, and returns the
/// iterator past the last. See `generate`.
template <execution::host_policy P, class It, class Size, class F>
It generate_n(const P& policy, It first, Size count, F f) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    pointsman::generate(policy, first, last, std::move(f));
    return last;
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Size, makes_values_on_device F>
It generate_n(const P& policy, It first, Size count, F f) {
    if (count <= 0) {
        return first;
    }
    const It last = first + static_cast<std::ptrdiff_t>(count);
    pointsman::generate(policy, first, last, f);
    return last;
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(generate_n);

}  // namespace pointsman
