// SPDX-License-Identifier: Apache-2.0
// Copies the values that just one of two sorted ranges has, on host or device.
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
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/merge.hpp"
#include "pointsman/algorithm/opencl/set.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of each of [`first`, `last`) and [`second`, `second_last`) that the other does not
/// have to the range beginning at `out` in sorted order, and returns the end of the output: of a value that
/// is m times in one range and n times in the other, the last |m - n| of the range that has more. Otherwise
/// like `set_intersection`.
template <execution::host_policy P, class In, class In2, class Out, class Compare>
Out set_symmetric_difference(const P& policy, In first, In last, In2 second, In2 second_last,
                             Out out, Compare compare) {
    return detail::with_sorted<Out>(policy, std::pair{first, last}, std::pair{second, second_last},
                                    compare, [&](const auto& standard, const auto& order) {
                                        return std::set_symmetric_difference(
                                            standard, first, last, second, second_last, out, order);
                                    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2, device_iterator Out,
          device_function Compare>
Out set_symmetric_difference(const P& policy, In first, In last, In2 second, In2 second_last,
                             Out out, Compare compare) {
    using order =
        decltype(detail::with_nan_last<detail::iterated_t<In>, detail::iterated_t<In2>>(compare));
    if (first == last || second == second_last) {
        return pointsman::copy(policy, second, second_last,
                               pointsman::copy(policy, first, last, out));
    }
    const auto count = static_cast<std::size_t>(last - first);
    const auto second_count = static_cast<std::size_t>(second_last - second);
    return opencl::detail::translated([&] {
        const detail::unpartnered<detail::iterated_t<In>> left{
            order{}, policy.queue(), first, count, second, second_count};
        const detail::unpartnered<detail::iterated_t<In2>> right{
            order{}, policy.queue(), second, second_count, first, count};
        return pointsman::merge(policy, left.begin(), left.end(), right.begin(), right.end(), out,
                                compare);
    });
}
#endif

/// Like `set_symmetric_difference` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class In2, class Out>
Out set_symmetric_difference(const P& policy, In first, In last, In2 second, In2 second_last,
                             Out out) {
    return pointsman::set_symmetric_difference(policy, first, last, second, second_last, out,
                                               less{});
}

POINTSMAN_TAKES_AUTO_POLICY(set_symmetric_difference);

}  // namespace pointsman
