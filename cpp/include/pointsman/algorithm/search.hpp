// SPDX-License-Identifier: Apache-2.0
// Finds the first place where a range contains a sequence, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Returns an iterator to the first place in [`first`, `last`) from which on `predicate` holds for each
/// value and the value of [`sought`, `sought_last`), or `last` if there is none; `first` if the sequence is
/// empty. Otherwise like `find_if`.
///
/// libstdc++'s own parallel algorithm (GCC 12) calls `predicate` with its arguments exchanged, so it is not
/// used; iterators that are not random access are searched in the calling thread.
/// **Cost**: at most as many calls of `predicate` as the product of both lengths.
template <execution::host_policy P, class In, class In2, class Predicate>
In search(const P& policy, In first, In last, In2 sought, In2 sought_last,
          Predicate predicate) noexcept {
    if constexpr (detail::is_parallel_v<P> && detail::indexed_iterator<In>) {
        const auto length = std::distance(sought, sought_last);
        const auto places = std::max<std::ptrdiff_t>(last - first - length + 1, 0);
        const auto found = detail::first_index(policy, places, [&](std::ptrdiff_t i) {
            return detail::begins_with(first + i, sought, sought_last, predicate);
        });
        return found == places ? last : first + found;
    } else {
        return std::search(first, last, sought, sought_last, predicate);
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2,
          device_function Predicate>
In search(const P& policy, In first, In last, In2 sought, In2 sought_last, Predicate) {
    if (sought == sought_last) {
        return first;
    }
    return first + static_cast<std::ptrdiff_t>(
                       detail::find_sequence<Predicate, detail::search_order::forward>(
                           policy.queue(), first, static_cast<std::size_t>(last - first), sought,
                           static_cast<std::size_t>(sought_last - sought)));
}
#endif

/// Like `search` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class In, class In2>
In search(const P& policy, In first, In last, In2 sought, In2 sought_last) {
    return pointsman::search(policy, first, last, sought, sought_last, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(search);

}  // namespace pointsman
