// SPDX-License-Identifier: Apache-2.0
// Fills a range with the results of a function, on host or device.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

#ifndef POINTSMAN_WITHOUT_OPENCL
/// A `device_function` without parameters. It has no state either, so that all its results are equal: for
/// values that differ, `transform` a range.
template <class F>
concept makes_values_on_device = device_function<F> && std::invocable<const F&>;
#endif

/// Writes the result of a call `f()` to each element of [`first`, `last`). Under a parallel policy,
/// several threads call `f` at the same time. Blocks until complete.
///
/// Under a `device_policy`, `f` is a `device_function` without parameters, so every element gets the
/// same value; values are integers, `float`, `double` or `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `f` ends the program, as the standard requires.
template <execution::host_policy P, class It, class F>
void generate(const P& policy, It first, It last, F f) {
    detail::change_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        std::generate(standard, begin, end, f);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, makes_values_on_device F>
void generate(const P& policy, It first, It last, F) {
    if (first != last) {
        detail::map_on_device<F>(policy.queue(), static_cast<std::size_t>(last - first), first);
    }
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(generate);

}  // namespace pointsman
