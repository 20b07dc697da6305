// SPDX-License-Identifier: Apache-2.0
// Compares two ranges as words in a dictionary, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/mismatch.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns true if [`first`, `last`) comes before [`second`, `second_last`): if at the first index at which
/// `compare` orders the values its value comes first, or if it is a shorter beginning of the other range.
/// Otherwise like `find_if`; a device examines the values twice.
template <execution::host_policy P, class In, class In2, class Compare>
bool lexicographical_compare(const P& policy, In first, In last, In2 second, In2 second_last,
                             Compare compare) noexcept {
    if constexpr (detail::is_parallel_v<P>) {
        const auto is_unordered = [&](auto&& a, auto&& b) -> bool {
            return !std::invoke(compare, a, b) && !std::invoke(compare, b, a);
        };
        const auto [at, second_at] =
            pointsman::mismatch(policy, first, last, second, second_last, is_unordered);
        return second_at != second_last && (at == last || std::invoke(compare, *at, *second_at));
    } else {
        return std::lexicographical_compare(detail::standard_alone(policy), first, last, second,
                                            second_last, compare);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2, device_function Compare>
bool lexicographical_compare(const P& policy, In first, In last, In2 second, In2 second_last,
                             Compare) {
    const auto size = static_cast<std::size_t>(last - first);
    const auto second_size = static_cast<std::size_t>(second_last - second);
    const std::size_t count = std::min(size, second_size);
    using forward = detail::called_for<Compare, In, In2>;
    using backward = detail::called_for<Compare, In2, In>;
    const std::size_t is_first = detail::find_pair<forward>(
        policy.queue(), count, first, second, [] { return detail::call_of<forward>("v0", "v1"); });
    const std::size_t is_second = detail::find_pair<backward>(
        policy.queue(), count, first, second, [] { return detail::call_of<backward>("v1", "v0"); });
    return is_first == is_second ? size < second_size : is_first < is_second;
}
#endif

/// Like `lexicographical_compare` above, with `less` as `compare`.
template <execution::placing_policy P, class In, class In2>
bool lexicographical_compare(const P& policy, In first, In last, In2 second, In2 second_last) {
    return pointsman::lexicographical_compare(policy, first, last, second, second_last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(lexicographical_compare);

}  // namespace pointsman
