// SPDX-License-Identifier: Apache-2.0
// Sorts keys and moves one value along with each key, stably.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/sort_keys.hpp"
#include "pointsman/algorithm/stable_sort.hpp"

namespace pointsman {

namespace detail {
template <execution::host_policy P, class Keys, class Values, class Compare>
void sort_pairs(const P& policy, Keys first, Keys last, Values values,
                const Compare& compare) noexcept {
    using key = std::iter_value_t<Keys>;
    using pair = std::pair<key, std::iter_value_t<Values>>;
    std::vector<pair> pairs;
    pairs.reserve(static_cast<std::size_t>(last - first));
    for (Values value = values; first != last; ++first, ++value) {
        pairs.emplace_back(std::move(*first), std::move(*value));
    }
    const auto by_key = [before = with_nan_last<key>(compare)](const pair& a, const pair& b) {
        return before(a.first, b.first);
    };
    pointsman::stable_sort(policy, pairs.begin(), pairs.end(), by_key);
    first = last - std::ssize(pairs);
    for (pair& sorted : pairs) {
        *first++ = std::move(sorted.first);
        *values++ = std::move(sorted.second);
    }
}
}  // namespace detail

/// Sorts the keys [`first`, `last`) by `compare` and moves the values in the range beginning at `values`,
/// one for each key, along with them. The values must not overlap the keys. The sort is stable. Keys, values or both
/// may be those of a `zip_iterator`. Otherwise like `sort`.
/// **Cost**: memory for a second array of keys and of values. For keys that are numbers: for a second array of the
/// keys or of the values, whichever is larger, and 8 bytes for each key, or 16 for one of 8 bytes. A device needs a
/// second array of both; if it compares the keys, it needs a third, and moves values as often as keys.
/// **Example**: `pointsman::sort_by_key(pointsman::execution::par, keys.begin(), keys.end(), rows.begin());`
template <execution::host_policy P, class Keys, class Values, class Compare>
void sort_by_key(const P& policy, Keys first, Keys last, Values values, Compare compare) {
    static_assert(
        detail::indexed_iterator<Keys>,
        "sort_by_key needs random access iterators of keys: copy them into a std::vector");
    using key = std::iter_value_t<Keys>;
    if constexpr (detail::indexed_number<key> && detail::number_order<Compare, key>) {
        constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
        if (const auto count = static_cast<std::size_t>(last - first); count <= most) {
            detail::sort_with_indices<Compare>(policy, first, count, values);
            return;
        }
    }
    detail::sort_pairs(policy, first, last, values, compare);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator Keys, device_iterator Values, class Compare>
void sort_by_key(const P& policy, Keys first, Keys last, Values values, Compare) {
    if (first != last) {
        detail::sort_on_device<Compare, detail::order_kind::weak>(
            policy.queue(), static_cast<std::size_t>(last - first), first, values);
    }
}
#endif

/// Like `sort_by_key` above, with `less` as `compare`.
template <execution::placing_policy P, class Keys, class Values>
void sort_by_key(const P& policy, Keys first, Keys last, Values values) {
    pointsman::sort_by_key(policy, first, last, values, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(sort_by_key);

}  // namespace pointsman
