// SPDX-License-Identifier: Apache-2.0
// Folds the values of each segment of equal keys, such as the rows of each customer in a sorted table.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/segment.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/segment.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Divides the keys [`keys_first`, `keys_last`) into segments: a key belongs to the segment of the key before it
/// if `binary_pred(before, key)` holds. For each segment, writes its first key to the range beginning at
/// `keys_result` and the fold by `binary_op` of its values, one for each key from `values_first` on, to the one
/// beginning at `values_result`. Returns the ends of both outputs, which must not overlap each other or the
/// inputs. As oneDPL's `reduce_by_segment`. Use it after `sort_by_key` to fold all values of a key.
///
/// Values are folded in their own type, in their order: `binary_op` must be associative, up to rounding, but need
/// not be commutative. `binary_pred` and `binary_op` may be called more than once for the same values. Blocks
/// until complete. Iterators that are not random access are traversed in the calling thread, under every policy.
///
/// Under a `device_policy`, `binary_pred` and `binary_op` are each a `device_function`, and values of half precision
/// are folded as `float`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from a function ends the program, as the standard requires.
/// **Cost**: reads keys and values once; under parallel policies, from 65,536 values on, keys and some values twice,
/// on devices both.
/// **Example**: `auto ends = pointsman::reduce_by_segment(pointsman::execution::par, day.begin(), day.end(),
/// sales.begin(), days.begin(), sums.begin());`
template <execution::host_policy P, class Keys, class Values, class KeysOut, class Out,
          class Predicate, class Op>
std::pair<KeysOut, Out> reduce_by_segment(const P&, Keys keys_first, Keys keys_last,
                                          Values values_first, KeysOut keys_result,
                                          Out values_result, Predicate binary_pred, Op binary_op) {
    return detail::reduce_segments_on_host<P, std::iter_value_t<Values>>(
        keys_first, keys_last, values_first, keys_result, values_result, binary_pred, binary_op);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator Keys, device_iterator Values,
          device_iterator KeysOut, device_iterator Out, device_function Predicate,
          device_function Op>
std::pair<KeysOut, Out> reduce_by_segment(const P& policy, Keys keys_first, Keys keys_last,
                                          Values values_first, KeysOut keys_result,
                                          Out values_result, Predicate, Op) {
    const auto count = static_cast<std::size_t>(keys_last - keys_first);
    return count == 0
               ? std::pair{keys_result, values_result}
               : detail::reduce_segments_on_device<Predicate, Op>(
                     policy.queue(), keys_first, count, values_first, keys_result, values_result);
}
#endif

/// Like `reduce_by_segment` above, with `plus` as `binary_op`.
template <execution::placing_policy P, class Keys, class Values, class KeysOut, class Out,
          class Predicate>
std::pair<KeysOut, Out> reduce_by_segment(const P& policy, Keys keys_first, Keys keys_last,
                                          Values values_first, KeysOut keys_result,
                                          Out values_result, Predicate binary_pred) {
    return pointsman::reduce_by_segment(policy, keys_first, keys_last, values_first, keys_result,
                                        values_result, binary_pred, plus{});
}
/// Like `reduce_by_segment` above, with `equal_to` as `binary_pred`: NaN keys are each a segment.
template <execution::placing_policy P, class Keys, class Values, class KeysOut, class Out>
std::pair<KeysOut, Out> reduce_by_segment(const P& policy, Keys keys_first, Keys keys_last,
                                          Values values_first, KeysOut keys_result,
                                          Out values_result) {
    return pointsman::reduce_by_segment(policy, keys_first, keys_last, values_first, keys_result,
                                        values_result, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(reduce_by_segment);

}  // namespace pointsman
