// SPDX-License-Identifier: Apache-2.0
// Sorts a range, with a total order of floating numbers that is the same on host and device.
#pragma once

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/base/in_threads.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/sort.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

namespace detail {
template <execution::host_policy P, class It, class Compare>
void sort_on_host(const P& policy, It first, It last, const Compare& compare) noexcept {
    using value = std::iter_value_t<It>;
    if constexpr (std::contiguous_iterator<It> && number_order<Compare, value>) {
        sort_numbers(policy, std::to_address(first), std::to_address(last), compare);
    } else if constexpr (is_parallel_v<P> && shared_output<It>) {
        in_threads_isolated(1, 1, [&](std::size_t, std::size_t) {
            tbb::parallel_sort(first, last, in_sort_order<value>(compare));
        });
    } else {
        std::sort(first, last, in_sort_order<value>(compare));
    }
}
}  // namespace detail

/// Sorts [`first`, `last`) by `compare`; equivalent values may come in any order. `less` and `greater`,
/// pointsman's or the standard's, give floating numbers a total order that is the same under every
/// policy: -0.0 is below 0.0, and NaN comes last, ordered by its bits. Blocks until complete.
///
/// Under a `device_policy`, `compare` is `less`, `greater` or a POINTSMAN_FUNCTION of two values that returns bool, and
/// values are integers, `float`, `double` or `half`, even if the device does not support `half`. For a `zip_iterator`,
/// `less` and `greater` compare tuples as `std::tuple` does, and another function takes two of a POINTSMAN_STRUCT.
/// A `compare` that is no order leaves the values unspecified.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `compare` ends the program, as the standard requires.
/// **Cost**: on the host, contiguous numbers are sorted in place, in vector registers if Highway is
/// available and the policy is not `seq`. Those of one or two bytes are counted, which takes up to 512 KiB for
/// each thread, or as much for a second array. A device needs memory for a second array, and for a third if values are
/// those of a `zip_iterator`. It sorts numbers by `less` and `greater` without comparisons, by their bits, in less
/// time.
template <execution::host_policy P, class It, class Compare>
void sort(const P& policy, It first, It last, Compare compare) {
    static_assert(
        detail::indexed_iterator<It>,
        "sort needs random access iterators: copy the values into a std::vector and sort that");
    detail::sort_on_host(policy, first, last, compare);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Compare>
void sort(const P& policy, It first, It last, Compare) {
    if (first != last) {
        detail::sort_on_device<Compare, detail::order_kind::total>(
            policy.queue(), static_cast<std::size_t>(last - first), first);
    }
}
#endif

/// Like `sort` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
void sort(const P& policy, It first, It last) {
    pointsman::sort(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(sort);

}  // namespace pointsman
