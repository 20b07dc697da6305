// SPDX-License-Identifier: Apache-2.0
// Merges two sorted ranges into one, stably.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/sorted_ranges.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/merge.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Merges [`first`, `last`) and [`second`, `second_last`), both sorted by `compare`, into the range
/// beginning at `out`, which must not overlap them, and returns the end of the output. Among values that
/// are equivalent by `compare`, values of the first range come first. `less` and `greater` order NaN
/// after all other values, as `sort` does, and compare numbers of different types in their common type.
/// Blocks until complete.
///
/// Under a `device_policy`, `compare` is a `device_function` and values are integers, `float`, `double` or
/// `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `compare` ends the program, as the standard requires.
template <execution::host_policy P, class In, class In2, class Out, class Compare>
Out merge(const P& policy, In first, In last, In2 second, In2 second_last, Out out,
          Compare compare) {
    return detail::with_sorted<Out>(policy, std::pair{first, last}, std::pair{second, second_last},
                                    compare, [&](const auto& standard, const auto& order) {
                                        return std::merge(standard, first, last, second,
                                                          second_last, out, order);
                                    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2, device_iterator Out,
          device_function Compare>
Out merge(const P& policy, In first, In last, In2 second, In2 second_last, Out out,
          Compare compare) {
    using order =
        decltype(detail::with_nan_last<detail::iterated_t<In>, detail::iterated_t<In2>>(compare));
    if (first == last) {
        return pointsman::copy(policy, second, second_last, out);
    }
    if (second == second_last) {
        return pointsman::copy(policy, first, last, out);
    }
    return detail::merge_on_device<order>(policy.queue(), first,
                                          static_cast<std::size_t>(last - first), second,
                                          static_cast<std::size_t>(second_last - second), out);
}
#endif

/// Like `merge` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class In2, class Out>
Out merge(const P& policy, In first, In last, In2 second, In2 second_last, Out out) {
    return pointsman::merge(policy, first, last, second, second_last, out, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(merge);

}  // namespace pointsman
