// SPDX-License-Identifier: Apache-2.0
// Finds the first smallest and the last largest value of a range.
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

/// Returns iterators to the first of the smallest values of [`first`, `last`) and to the last of the
/// largest values, as `compare` orders them. Otherwise like `min_element`.
template <execution::host_policy P, class It, class Compare>
std::pair<It, It> minmax_element(const P& policy, It first, It last, Compare compare) {
    if constexpr (detail::iterator_of_small_values<It>) {
        auto after = [&](const auto& a, const auto& b) { return compare(b, a); };
        return detail::extrema_on_host(policy, first, last, compare, after);
    } else {
        return detail::with_standard(policy, std::pair{first, last}, [&](const auto& standard) {
            return std::minmax_element(standard, first, last, compare);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Compare>
std::pair<It, It> minmax_element(const P& policy, It first, It last, Compare) {
    using enum detail::extremum;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return {last, last};
    }
    const auto found = detail::extrema_on_device<Compare, first_least, last_greatest>(
        policy.queue(), first, count);
    return {found[0], found[1]};
}
#endif

/// Like `minmax_element` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
std::pair<It, It> minmax_element(const P& policy, It first, It last) {
    return pointsman::minmax_element(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(minmax_element);

}  // namespace pointsman
