// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, of the values before each index in its segment of equal keys.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/segment.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/segment.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// For each value of the range beginning at `values_first`, one for each key of [`keys_first`, `keys_last`), writes
/// the fold by `binary_op` of `initial` and the values before it in its segment to the range beginning at `result`,
/// and returns the end of the output. Values are folded in the type of `initial`: with 0, floating values are folded
/// as `int`. As oneDPL's `exclusive_scan_by_segment`; otherwise like `inclusive_scan_by_segment`.
/// **Example**: `pointsman::exclusive_scan_by_segment(pointsman::execution::par, day.begin(), day.end(),
/// sales.begin(), sums_before.begin(), 0.0);`
template <execution::host_policy P, class Keys, class Values, class Out, class T, class Predicate,
          class Op>
Out exclusive_scan_by_segment(const P&, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, T initial, Predicate binary_pred, Op binary_op) {
    return detail::scan_segments_on_host<P>(keys_first, keys_last, values_first, result,
                                            binary_pred, binary_op, std::optional<T>{initial});
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator Keys, device_iterator Values, device_iterator Out,
          device_value T, device_function Predicate, device_function Op>
Out exclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, T initial, Predicate, Op) {
    const auto count = static_cast<std::size_t>(keys_last - keys_first);
    return count == 0
               ? result
               : detail::scan_segments_on_device<Predicate, Op, detail::scan_kind::exclusive>(
                     policy.queue(), keys_first, count, values_first, result, initial);
}
#endif

/// Like `exclusive_scan_by_segment` above, with `plus` as `binary_op`.
template <execution::placing_policy P, class Keys, class Values, class Out, class T,
          class Predicate>
Out exclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, T initial, Predicate binary_pred) {
    return pointsman::exclusive_scan_by_segment(policy, keys_first, keys_last, values_first, result,
                                                initial, binary_pred, plus{});
}
/// Like `exclusive_scan_by_segment` above, with `equal_to` as `binary_pred`.
template <execution::placing_policy P, class Keys, class Values, class Out, class T>
Out exclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, T initial) {
    return pointsman::exclusive_scan_by_segment(policy, keys_first, keys_last, values_first, result,
                                                initial, equal_to{});
}
/// Like `exclusive_scan_by_segment` above, with 0 of the values' type as `initial`.
template <execution::host_policy P, class Keys, class Values, class Out>
Out exclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result) {
    return pointsman::exclusive_scan_by_segment(policy, keys_first, keys_last, values_first, result,
                                                std::iter_value_t<Values>{});
}
#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator Keys, device_iterator Values, device_iterator Out>
Out exclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result) {
    return pointsman::exclusive_scan_by_segment(policy, keys_first, keys_last, values_first, result,
                                                detail::iterated_t<Values>{});
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(exclusive_scan_by_segment);

}  // namespace pointsman
