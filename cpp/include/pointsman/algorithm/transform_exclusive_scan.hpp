// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, of the results of a function before each index.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/scan.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// For each value of [`first`, `last`), writes the fold by `f` of `initial` and `g(x)` for all `x` before
/// it to the range beginning at `out`, which may be the input range, and returns the end of the output. The
/// results of `g` and `f` are converted to the type of `initial`, and then to the type of the output.
/// Otherwise like `transform_inclusive_scan`.
template <execution::host_policy P, class In, class Out, class T, class F, class G>
Out transform_exclusive_scan(const P&, In first, In last, Out out, T initial, F f, G g) {
    return detail::scan_on_host<P>(first, last, out, f, g, std::optional<T>{initial},
                                   detail::scan_kind::exclusive);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_value T,
          device_function F, device_function G>
Out transform_exclusive_scan(const P& policy, In first, In last, Out out, T initial, F, G) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out
                      : detail::scan_on_device<T, F, G>(policy.queue(), first, count, out, initial,
                                                        detail::scan_kind::exclusive);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(transform_exclusive_scan);

}  // namespace pointsman
