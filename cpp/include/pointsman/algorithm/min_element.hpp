// SPDX-License-Identifier: Apache-2.0
// Finds the first smallest value of a range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/extremum.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/extremum.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns an iterator to the first of the smallest values of [`first`, `last`), before which `compare`
/// orders no other value, or `last` if the range is empty. Blocks until complete. If there is a NaN,
/// which is ordered neither before nor after any value, the result may be any iterator of the range.
///
/// Under a `device_policy`, `compare` is a `device_function` and values are integers, `float`, `double` or
/// `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `compare` ends the program, as the standard requires.
template <execution::host_policy P, class It, class Compare>
It min_element(const P& policy, It first, It last, Compare compare) {
    if constexpr (detail::iterator_of_small_values<It>) {
        return detail::extremum_on_host<detail::among_equals::first>(policy, first, last, compare);
    } else {
        return detail::with_standard(policy, std::pair{first, last}, [&](const auto& standard) {
            return std::min_element(standard, first, last, compare);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Compare>
It min_element(const P& policy, It first, It last, Compare) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? last
                      : detail::extrema_on_device<Compare, detail::extremum::first_least>(
                            policy.queue(), first, count)[0];
}
#endif

/// Like `min_element` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
It min_element(const P& policy, It first, It last) {
    return pointsman::min_element(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(min_element);

}  // namespace pointsman
