// SPDX-License-Identifier: Apache-2.0
// Finds the first largest value of a range.
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

/// Returns an iterator to the first of the largest values of [`first`, `last`), those that `compare`
/// orders before no other value. Otherwise like `min_element`.
template <execution::host_policy P, class It, class Compare>
It max_element(const P& policy, It first, It last, Compare compare) {
    if constexpr (detail::iterator_of_small_values<It>) {
        auto after = [&](const auto& a, const auto& b) { return compare(b, a); };
        return detail::extremum_on_host<detail::among_equals::first>(policy, first, last, after);
    } else {
        return detail::with_standard(policy, std::pair{first, last}, [&](const auto& standard) {
            return std::max_element(standard, first, last, compare);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Compare>
It max_element(const P& policy, It first, It last, Compare) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? last
                      : detail::extrema_on_device<Compare, detail::extremum::first_greatest>(
                            policy.queue(), first, count)[0];
}
#endif

/// Like `max_element` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
It max_element(const P& policy, It first, It last) {
    return pointsman::max_element(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(max_element);

}  // namespace pointsman
