// SPDX-License-Identifier: Apache-2.0
// Finds the first value that is one of several, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/find_if.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns an iterator to the first value of [`first`, `last`) for which `predicate`, called with it and
/// some value of [`sought`, `sought_last`), holds, or `last` if there is none. Otherwise like `search`.
///
/// libstdc++'s own algorithm finds a later value under `unseq` (GCC 12), so this one is a `find_if`.
template <execution::host_policy P, class In, class In2, class Predicate>
In find_first_of(const P& policy, In first, In last, In2 sought, In2 sought_last,
                 Predicate predicate) {
    return pointsman::find_if(policy, first, last, [&](const auto& value) {
        return std::any_of(sought, sought_last, [&](const auto& each) -> bool {
            return std::invoke(predicate, value, each);
        });
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator In2,
          device_function Predicate>
In find_first_of(const P& policy, In first, In last, In2 sought, In2 sought_last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    const auto sought_count = static_cast<std::size_t>(sought_last - sought);
    return count == 0 || sought_count == 0
               ? last
               : first + static_cast<std::ptrdiff_t>(detail::find_any_of<Predicate>(
                             policy.queue(), first, count, sought, sought_count));
}
#endif

/// Like `find_first_of` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class In, class In2>
In find_first_of(const P& policy, In first, In last, In2 sought, In2 sought_last) {
    return pointsman::find_first_of(policy, first, last, sought, sought_last, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(find_first_of);

}  // namespace pointsman
