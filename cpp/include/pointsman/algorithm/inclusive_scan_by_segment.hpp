// SPDX-License-Identifier: Apache-2.0
// Prefix sums, or other folds, that restart at each segment of equal keys.
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
/// the fold by `binary_op` of the values of its segment up to and including it to the range beginning at `result`,
/// and returns the end of the output. The output may be the range of the values; it must not overlap the keys.
/// As oneDPL's `inclusive_scan_by_segment`. Segments, functions, the type of the fold, errors and cost are those of
/// `reduce_by_segment`.
/// **Example**: `pointsman::inclusive_scan_by_segment(pointsman::execution::par, day.begin(), day.end(),
/// sales.begin(), sums_of_day.begin());`
template <execution::host_policy P, class Keys, class Values, class Out, class Predicate, class Op>
Out inclusive_scan_by_segment(const P&, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, Predicate binary_pred, Op binary_op) {
    using fold = std::iter_value_t<Values>;
    return detail::scan_segments_on_host<P>(keys_first, keys_last, values_first, result,
                                            binary_pred, binary_op, std::optional<fold>{});
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator Keys, device_iterator Values, device_iterator Out,
          device_function Predicate, device_function Op>
Out inclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, Predicate, Op) {
    const auto count = static_cast<std::size_t>(keys_last - keys_first);
    return count == 0
               ? result
               : detail::scan_segments_on_device<Predicate, Op, detail::scan_kind::inclusive>(
                     policy.queue(), keys_first, count, values_first, result,
                     detail::iterated_t<Values>{});
}
#endif

/// Like `inclusive_scan_by_segment` above, with `plus` as `binary_op`.
template <execution::placing_policy P, class Keys, class Values, class Out, class Predicate>
Out inclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result, Predicate binary_pred) {
    return pointsman::inclusive_scan_by_segment(policy, keys_first, keys_last, values_first, result,
                                                binary_pred, plus{});
}
/// Like `inclusive_scan_by_segment` above, with `equal_to` as `binary_pred`.
template <execution::placing_policy P, class Keys, class Values, class Out>
Out inclusive_scan_by_segment(const P& policy, Keys keys_first, Keys keys_last, Values values_first,
                              Out result) {
    return pointsman::inclusive_scan_by_segment(policy, keys_first, keys_last, values_first, result,
                                                equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(inclusive_scan_by_segment);

}  // namespace pointsman
