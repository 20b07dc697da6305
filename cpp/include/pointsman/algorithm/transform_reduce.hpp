// SPDX-License-Identifier: Apache-2.0
// Folds the results of a function of one range or two, such as the products of an inner product.
#pragma once

#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/reduction.hpp"
#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/reduction.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns the fold by `f` of `initial` and `g(x)` for all `x` of [`first`, `last`), in any order
/// and grouping: `f` must be associative and commutative, up to rounding. The results of `g` and `f`
/// are converted to the type of `initial`. Blocks until complete. Iterators that are not random access
/// are traversed in the calling thread, under every policy.
///
/// Under a `device_policy`, `f` and `g` are each a `device_function`, and the type of `initial` is an
/// integer, `float`, `double` or `half`. See `reduce` for the rounding errors of floating sums.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from a function ends the program, as the standard requires.
template <execution::host_policy P, class It, class T, class F, class G>
T transform_reduce(const P&, It first, It last, T initial, F f, G g) {
    return detail::fold_values<P>(first, last, initial, f, g);
}
/// Like `transform_reduce` above, but folds `g(x, y)`, where `y` is at the index of `x` in the range
/// beginning at `second`.
template <execution::host_policy P, class It, class It2, class T, class F, class G>
T transform_reduce(const P&, It first, It last, It2 second, T initial, F f, G g) {
    return detail::fold_values<P>(first, last, initial, f, g, second);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_value T, device_function F,
          device_function G>
T transform_reduce(const P& policy, It first, It last, T initial, F, G) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? initial
                      : detail::reduce_on_device<F, G>(policy.queue(), count, initial, first);
}
template <execution::on_device P, device_iterator It, device_iterator It2, device_value T,
          device_function F, device_function G>
T transform_reduce(const P& policy, It first, It last, It2 second, T initial, F, G) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0
               ? initial
               : detail::reduce_on_device<F, G>(policy.queue(), count, initial, first, second);
}
#endif

/// The inner product of the two ranges, plus `initial`.
template <execution::placing_policy P, class It, class It2, class T>
T transform_reduce(const P& policy, It first, It last, It2 second, T initial) {
    return pointsman::transform_reduce(policy, first, last, second, initial, plus{}, multiplies{});
}

POINTSMAN_TAKES_AUTO_POLICY(transform_reduce);

}  // namespace pointsman
