// SPDX-License-Identifier: Apache-2.0
// Tests on host or device whether two ranges have equal values.
#pragma once

#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns true if `predicate` holds for each value of [`first`, `last`) and the value at the same index of
/// the range beginning at `second`. Otherwise like `mismatch`.
template <execution::host_policy P, class In, class In2, class Predicate>
bool equal(const P& policy, In first, In last, In2 second, Predicate predicate) {
    return pointsman::mismatch(policy, first, last, second, predicate).first == last;
}
/// Like `equal` above, with a second range that ends at `second_last`: ranges of different lengths are not
/// equal.
template <execution::host_policy P, class In, class In2, class Predicate>
bool equal(const P& policy, In first, In last, In2 second, In2 second_last, Predicate predicate) {
    const auto count = std::distance(first, last);
    return count == std::distance(second, second_last) &&
           pointsman::equal(policy, first, last, second, predicate);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2,
          device_function Predicate>
bool equal(const P& policy, In first, In last, In2 second, Predicate predicate) {
    return pointsman::mismatch(policy, first, last, second, predicate).first == last;
}
template <execution::on_device P, device_iterator In, device_iterator In2,
          device_function Predicate>
bool equal(const P& policy, In first, In last, In2 second, In2 second_last, Predicate predicate) {
    return last - first == second_last - second &&
           pointsman::equal(policy, first, last, second, predicate);
}
#endif

/// Like `equal` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class In, class In2>
bool equal(const P& policy, In first, In last, In2 second) {
    return pointsman::equal(policy, first, last, second, equal_to{});
}
template <execution::placing_policy P, class In, class In2>
bool equal(const P& policy, In first, In last, In2 second, In2 second_last) {
    return pointsman::equal(policy, first, last, second, second_last, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(equal);

}  // namespace pointsman
