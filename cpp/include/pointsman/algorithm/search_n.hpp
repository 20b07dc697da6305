// SPDX-License-Identifier: Apache-2.0
// Finds the first run of equal values of a given length, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/search.hpp"
#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns the beginning of the first run of `count` consecutive values `x` of [`first`, `last`) for which
/// `predicate(x, value)` holds, or `last` if there is none; `first` if `count` is not positive. Otherwise like
/// `search`.
///
/// libstdc++'s own parallel algorithm (GCC 12) converts the values of the range to `T` and finds no run of 0
/// values, so it is not used.
template <execution::host_policy P, class It, class Size, class T, class Predicate>
It search_n(const P& policy, It first, It last, Size count, const T& value,
            Predicate predicate) noexcept {
    const auto size = std::distance(first, last);
    if (count <= 0 || static_cast<std::uintmax_t>(count) > static_cast<std::uintmax_t>(size)) {
        return count <= 0 ? first : last;
    }
    const auto length = static_cast<std::iter_difference_t<It>>(count);
    if constexpr (detail::is_parallel_v<P> && detail::indexed_iterator<It>) {
        const auto places = size - length + 1;
        const auto found = detail::first_index(policy, places, [&](std::ptrdiff_t i) {
            return std::all_of(first + i, first + (i + length), [&](const auto& each) -> bool {
                return std::invoke(predicate, each, value);
            });
        });
        return found == places ? last : first + found;
    } else {
        return std::search_n(first, last, length, value, predicate);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, class Size, device_value T,
          device_function Predicate>
It search_n(const P& policy, It first, It last, Size count, const T& value, Predicate) {
    const auto size = static_cast<std::size_t>(last - first);
    if (count <= 0 || static_cast<std::uintmax_t>(count) > size) {
        return count <= 0 ? first : last;
    }
    return first + static_cast<std::ptrdiff_t>(detail::find_run<Predicate>(
                       policy.queue(), first, size, static_cast<std::size_t>(count), value));
}
#endif

/// Like `search_n` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class It, class Size, class T>
It search_n(const P& policy, It first, It last, Size count, const T& value) {
    return pointsman::search_n(policy, first, last, count, value, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(search_n);

}  // namespace pointsman
