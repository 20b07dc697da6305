// SPDX-License-Identifier: Apache-2.0
// Tests whether a sorted range has all values of another, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/sorted_ranges.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/set.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns true if [`first`, `last`) has every value of [`second`, `second_last`), as often at least. Both
/// are sorted by `compare`; values are the same if they are equivalent by it. Otherwise like `merge`.
template <execution::host_policy P, class In, class In2, class Compare>
bool includes(const P& policy, In first, In last, In2 second, In2 second_last, Compare compare) {
    return detail::with_sorted(policy, std::pair{first, last}, std::pair{second, second_last},
                               compare, [&](const auto& standard, const auto& order) {
                                   return std::includes(standard, first, last, second, second_last,
                                                        order);
                               });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2, device_function Compare>
bool includes(const P& policy, In first, In last, In2 second, In2 second_last, Compare compare) {
    using order =
        decltype(detail::with_nan_last<detail::iterated_t<In>, detail::iterated_t<In2>>(compare));
    if (first == last || second == second_last) {
        return second == second_last;
    }
    return detail::all_partnered<order>(policy.queue(), second,
                                        static_cast<std::size_t>(second_last - second), first,
                                        static_cast<std::size_t>(last - first));
}
#endif

/// Like `includes` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class In2>
bool includes(const P& policy, In first, In last, In2 second, In2 second_last) {
    return pointsman::includes(policy, first, last, second, second_last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(includes);

}  // namespace pointsman
