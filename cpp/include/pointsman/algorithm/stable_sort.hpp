// SPDX-License-Identifier: Apache-2.0
// Sorts a range and keeps the order of equivalent values, which include -0.0 and 0.0.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <execution>
#include <iterator>
#include <memory>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/host/sort_ties.hpp"
#include "pointsman/algorithm/sort.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/sort.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Sorts [`first`, `last`) by `compare` and keeps the order of equivalent values: zeros of both signs are
/// equivalent, and so are all NaN. Otherwise like `sort`.
template <execution::host_policy P, class It, class Compare>
void stable_sort([[maybe_unused]] const P& policy, It first, It last, Compare compare) {
    static_assert(detail::indexed_iterator<It>,
                  "stable_sort needs random access iterators: copy the values into a std::vector "
                  "and sort that");
    using value = std::iter_value_t<It>;
    if constexpr (std::integral<value> && detail::number_order<Compare, value>) {
        pointsman::sort(policy, first, last, compare);
        return;
    } else {
        if constexpr (detail::iterator_of_numbers<It, Compare> && detail::imaged_number<value>) {
            if (detail::sort_numbers_stably(policy, std::to_address(first), std::to_address(last),
                                            compare)) {
                return;
            }
        }
        const auto sort_under = [&](const auto& standard) {
            std::stable_sort(standard, first, last, detail::with_nan_last<value>(compare));
        };
        if constexpr (detail::is_parallel_v<P> && detail::shared_output<It>) {
            const auto count = last - first;
            const auto comparisons = count * std::bit_width(static_cast<std::size_t>(count));
            if (comparisons >= detail::steps_worth_threads) {
                detail::run_parallel(sort_under);
                return;
            }
        }
        sort_under(std::execution::seq);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Compare>
void stable_sort(const P& policy, It first, It last, Compare) {
    if (first != last) {
        detail::sort_on_device<Compare, detail::order_kind::weak>(
            policy.queue(), static_cast<std::size_t>(last - first), first);
    }
}
#endif

/// Like `stable_sort` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
void stable_sort(const P& policy, It first, It last) {
    pointsman::stable_sort(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(stable_sort);

}  // namespace pointsman
