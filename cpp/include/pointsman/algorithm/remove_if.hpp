// SPDX-License-Identifier: Apache-2.0
// Removes the values that satisfy a predicate from a range, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/compaction.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/compaction.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves the values of [`first`, `last`) for which `predicate` does not hold to the front, keeps their
/// order, and returns the iterator past them. The values after it are unspecified. Otherwise like
/// `copy_if`.
template <execution::host_policy P, class It, class Predicate>
It remove_if(const P& policy, It first, It last, Predicate predicate) {
    if constexpr (detail::iterator_of_small_values<It>) {
        return detail::copy_kept(policy, first, last, first, std::not_fn(predicate));
    } else {
        return detail::with_standard<It>(policy, std::pair{first, last}, [&](const auto& standard) {
            return std::remove_if(standard, first, last, predicate);
        });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
It remove_if(const P& policy, It first, It last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? last : detail::keep_selected(policy.queue(), first, count, [] {
        return detail::fails<Predicate, detail::iterated_t<It>>();
    });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(remove_if);

}  // namespace pointsman
