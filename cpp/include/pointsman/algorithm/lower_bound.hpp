// SPDX-License-Identifier: Apache-2.0
// Finds for many values the first position at which each keeps a sorted range sorted.
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

/// Writes, for each value of [`values_first`, `values_last`), the number of elements of [`first`, `last`)
/// that `compare` orders before it to the range beginning at `out`, which must not overlap the others, and
/// returns the end of the output. It is the index at which `std::lower_bound` finds the value. The elements
/// are sorted by `compare`; the values need not be, but sorted ones are found faster. `less` and `greater`
/// order NaN after all other values, as `sort` does, and compare numbers of different types in their common
/// type. Blocks until complete.
///
/// Under a host policy, `compare` takes an element and a value. Where an iterator has no random access, or
/// `out` refers to bits, the calling thread does all the work.
/// Under a `device_policy`, `compare` is a `device_function`, and values, elements and results are integers,
/// `float`, `double` or `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `compare` ends the program, as the standard requires.
/// **Cost**: a binary search for each value, which for 1,000 elements compares about 10 times.
/// **Example**: `pointsman::lower_bound(policy, x.begin(), x.end(), v.begin(), v.end(), indices.begin());`
template <execution::host_policy P, class In, class Values, class Out, class Compare>
Out lower_bound(const P& policy, In first, In last, Values values_first, Values values_last,
                Out out, Compare compare) {
    return detail::search_sorted<detail::sorted_search::lower_bound>(
        policy, first, last, values_first, values_last, out,
        detail::with_nan_last<std::iter_value_t<In>, std::iter_value_t<Values>>(compare));
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Values, device_iterator Out,
          device_function Compare>
Out lower_bound(const P& policy, In first, In last, Values values_first, Values values_last,
                Out out, Compare compare) {
    using order =
        decltype(detail::with_nan_last<detail::iterated_t<In>, detail::iterated_t<Values>>(
            compare));
    return detail::search_on_device<detail::sorted_search::lower_bound, order>(
        policy.queue(), first, static_cast<std::size_t>(last - first), values_first,
        static_cast<std::size_t>(values_last - values_first), out);
}
#endif

/// Like `lower_bound` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class Values, class Out>
Out lower_bound(const P& policy, In first, In last, Values values_first, Values values_last,
                Out out) {
    return pointsman::lower_bound(policy, first, last, values_first, values_last, out, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(lower_bound);
namespace detail {
template <>
inline constexpr bool depends_on_second_range<lower_bound_call> = true;
}  // namespace detail

}  // namespace pointsman
