// SPDX-License-Identifier: Apache-2.0
// Sorts the least values of a range to its front, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <execution>
#include <iterator>
#include <memory>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/order_statistics.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/sort.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

namespace detail {
/// Returns true if the `part` least of all values are so few that most values are only compared with the greatest in a
/// heap of them, which takes one thread less time than it takes several to rearrange all.
[[nodiscard]] constexpr bool is_short_part(std::ptrdiff_t part, std::ptrdiff_t all) noexcept {
    return part <= 1'024 && part <= all / 64;
}
}  // namespace detail

/// Rearranges [`first`, `last`) so that [`first`, `middle`) has the values that `sort` would put there, in
/// the order of `sort`; the other values come in any order. Blocks until complete. A device sorts the whole
/// range. Otherwise like `sort`.
template <execution::host_policy P, class It, class Compare>
void partial_sort(const P& policy, It first, It middle, It last, Compare compare) {
    using value = std::iter_value_t<It>;
    const bool is_short = detail::is_short_part(middle - first, last - first);
    if constexpr (detail::iterator_of_numbers<It, Compare>) {
        constexpr std::ptrdiff_t many = 4'096;
        if (last - first >= many && !is_short) {
            auto* const begin = std::to_address(first);
            detail::sort_least_numbers(policy, begin, begin + (middle - first),
                                       begin + (last - first), compare);
            return;
        }
    }
    const auto run = [&](const auto& standard) {
        std::partial_sort(standard, first, middle, last, detail::in_sort_order<value>(compare));
    };
    if (is_short) {
        run(std::execution::seq);
    } else {
        detail::with_standard<It>(policy, std::pair{first, last}, run);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Compare>
void partial_sort(const P& policy, It first, It middle, It last, Compare compare) {
    if (middle != first) {
        pointsman::sort(policy, first, last, compare);
    }
}
#endif

/// Like `partial_sort` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
void partial_sort(const P& policy, It first, It middle, It last) {
    pointsman::partial_sort(policy, first, middle, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(partial_sort);

}  // namespace pointsman
