// SPDX-License-Identifier: Apache-2.0
// Puts the value that sorting would put at an index there, with the lesser ones before it.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/order_statistics.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Rearranges [`first`, `last`) so that `nth` has the value that `sort` would put there, no value before it
/// comes after it by `compare`, and none behind it comes before it. Does nothing if `nth` is `last`. The
/// order is that of `sort`. Blocks until complete.
///
/// Contiguous numbers are rearranged in several threads under parallel policies; otherwise the calling thread does
/// the work: libstdc++'s parallel algorithm (GCC 12) takes quadratic time if many values are equal. A device sorts the
/// range.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `compare` ends the program, as the standard requires.
template <execution::host_policy P, class It, class Compare>
void nth_element([[maybe_unused]] const P& policy, It first, It nth, It last,
                 Compare compare) noexcept {
    using value = std::iter_value_t<It>;
    if constexpr (detail::iterator_of_numbers<It, Compare>) {
        if (nth != last) {
            auto* const begin = std::to_address(first);
            detail::put_nth_number(policy, begin, begin + (nth - first), begin + (last - first),
                                   compare);
        }
    } else {
        std::nth_element(first, nth, last, detail::in_sort_order<value>(compare));
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Compare>
void nth_element(const P& policy, It first, It nth, It last, Compare compare) {
    if (nth != last) {
        pointsman::sort(policy, first, last, compare);
    }
}
#endif

/// Like `nth_element` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
void nth_element(const P& policy, It first, It nth, It last) {
    pointsman::nth_element(policy, first, nth, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(nth_element);

}  // namespace pointsman
