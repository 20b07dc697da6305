// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, of the values before each index.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/scan.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// For each value of [`first`, `last`), writes the fold by `f` of `initial` and all values before it to
/// the range beginning at `out`, which may be the input range, and returns the end of the output. Values
/// are folded in the type of `initial`: with 0, floating values are folded as `int`. See
/// `transform_inclusive_scan`.
template <execution::host_policy P, class In, class Out, class T, class F>
Out exclusive_scan(const P&, In first, In last, Out out, T initial, F f) {
    return detail::scan_on_host<P>(first, last, out, f, identity_value{}, std::optional<T>{initial},
                                   detail::scan_kind::exclusive);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_value T,
          device_function F>
Out exclusive_scan(const P& policy, In first, In last, Out out, T initial, F) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0
               ? out
               : detail::scan_on_device<T, F, identity_value>(
                     policy.queue(), first, count, out, initial, detail::scan_kind::exclusive);
}
#endif

/// Writes prefix sums: like `exclusive_scan` above, with `plus` as `f`.
template <execution::placing_policy P, class In, class Out, class T>
Out exclusive_scan(const P& policy, In first, In last, Out out, T initial) {
    return pointsman::exclusive_scan(policy, first, last, out, initial, plus{});
}

POINTSMAN_TAKES_AUTO_POLICY(exclusive_scan);

}  // namespace pointsman
