// SPDX-License-Identifier: Apache-2.0
// Copies the values that one or both of two sorted ranges have, on host or device.
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

/// Copies the values of [`first`, `last`), and those of [`second`, `second_last`) that the first does not
/// have, to the range beginning at `out` in sorted order, and returns the end of the output: of a value
/// that is m times in the first range and n times in the second, all m of the first and then, if n exceeds
/// m, the last n-m of the second. Otherwise like `set_intersection`.
template <execution::host_policy P, class In, class In2, class Out, class Compare>
Out set_union(const P& policy, In first, In last, In2 second, In2 second_last, Out out,
              Compare compare) {
    return detail::with_sorted<Out>(policy, std::pair{first, last}, std::pair{second, second_last},
                                    compare, [&](const auto& standard, const auto& order) {
                                        return std::set_union(standard, first, last, second,
                                                              second_last, out, order);
                                    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2, device_iterator Out,
          device_function Compare>
Out set_union(const P& policy, In first, In last, In2 second, In2 second_last, Out out,
              Compare compare) {
    using order =
        decltype(detail::with_nan_last<detail::iterated_t<In>, detail::iterated_t<In2>>(compare));
    if (first == last || second == second_last) {
        return pointsman::copy(policy, second, second_last,
                               pointsman::copy(policy, first, last, out));
    }
    return opencl::detail::translated([&] {
        const detail::unpartnered<detail::iterated_t<In2>> others{
            order{}, policy.queue(),
            second,  static_cast<std::size_t>(second_last - second),
            first,   static_cast<std::size_t>(last - first)};
        return pointsman::merge(policy, first, last, others.begin(), others.end(), out, compare);
    });
}
#endif

/// Like `set_union` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class In2, class Out>
Out set_union(const P& policy, In first, In last, In2 second, In2 second_last, Out out) {
    return pointsman::set_union(policy, first, last, second, second_last, out, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(set_union);

}  // namespace pointsman
