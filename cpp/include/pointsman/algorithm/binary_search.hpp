// SPDX-License-Identifier: Apache-2.0
// Tests for many values whether each is in a sorted range.
#pragma once

#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/sorted_search.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/sorted_search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Writes, for each value of [`values_first`, `values_last`), 1 if [`first`, `last`) has an element equivalent
/// to it by `compare`, otherwise 0, to the range beginning at `out`, and returns the end of the output. All
/// NaN are equivalent, and so are zeros of both signs. `compare` takes an element and a value in either
/// order. Results may also be `bool` on the host. Otherwise like `lower_bound`.
template <execution::host_policy P, class In, class Values, class Out, class Compare>
Out binary_search(const P& policy, In first, In last, Values values_first, Values values_last,
                  Out out, Compare compare) {
    return detail::search_sorted<detail::sorted_search::binary_search>(
        policy, first, last, values_first, values_last, out,
        detail::with_nan_last<std::iter_value_t<In>, std::iter_value_t<Values>>(compare));
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Values, device_iterator Out,
          device_function Compare>
Out binary_search(const P& policy, In first, In last, Values values_first, Values values_last,
                  Out out, Compare compare) {
    using order =
        decltype(detail::with_nan_last<detail::iterated_t<In>, detail::iterated_t<Values>>(
            compare));
    return detail::search_on_device<detail::sorted_search::binary_search, order>(
        policy.queue(), first, static_cast<std::size_t>(last - first), values_first,
        static_cast<std::size_t>(values_last - values_first), out);
}
#endif

/// Like `binary_search` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class Values, class Out>
Out binary_search(const P& policy, In first, In last, Values values_first, Values values_last,
                  Out out) {
    return pointsman::binary_search(policy, first, last, values_first, values_last, out, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(binary_search);
namespace detail {
template <>
inline constexpr bool depends_on_second_range<binary_search_call> = true;
}  // namespace detail

}  // namespace pointsman
