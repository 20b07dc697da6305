// SPDX-License-Identifier: Apache-2.0
// Finds the first two neighbours that are equal or satisfy a predicate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/search.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns an iterator to the first value of [`first`, `last`) for which `predicate`, called with it and
/// the next value, holds, or `last` if there is none. Otherwise like `find_if`.
template <execution::host_policy P, class It, class Predicate>
It adjacent_find([[maybe_unused]] const P& policy, It first, It last,
                 Predicate predicate) noexcept {
    if constexpr (detail::indexed_iterator<It>) {
        const auto pairs = std::max<std::ptrdiff_t>(last - first - 1, 0);
        const auto found = detail::first_index(policy, pairs, [&](std::ptrdiff_t i) -> bool {
            return std::invoke(predicate, first[i], first[i + 1]);
        });
        return found == pairs ? last : first + found;
    } else {
        return std::adjacent_find(first, last, predicate);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
It adjacent_find(const P& policy, It first, It last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count < 2) {
        return last;
    }
    using function = detail::called_for<Predicate, It, It>;
    const std::size_t index = detail::find_neighbours<function>(
        policy.queue(), first, count, [] { return detail::call_of<function>("v0", "v1"); });
    return index == count - 1 ? last : first + static_cast<std::ptrdiff_t>(index);
}
#endif

/// Like `adjacent_find` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class It>
It adjacent_find(const P& policy, It first, It last) {
    return pointsman::adjacent_find(policy, first, last, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(adjacent_find);

}  // namespace pointsman
