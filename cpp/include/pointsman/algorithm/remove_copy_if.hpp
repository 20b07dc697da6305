// SPDX-License-Identifier: Apache-2.0
// Copies the values that do not satisfy a predicate and keeps their order, on host or device.
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

/// Copies the values of [`first`, `last`) for which `predicate` does not hold, in their order, to the range
/// beginning at `out`, which must not overlap the input, and returns the end of the output. Otherwise like
/// `copy_if`.
template <execution::host_policy P, class In, class Out, class Predicate>
Out remove_copy_if(const P& policy, In first, In last, Out out, Predicate predicate) {
    if constexpr (detail::iterator_of_small_values<In>) {
        return detail::copy_kept(policy, first, last, out, std::not_fn(predicate));
    } else {
        return detail::with_standard<Out>(
            policy, std::pair{first, last}, [&](const auto& standard) {
                return std::remove_copy_if(standard, first, last, out, predicate);
            });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out,
          device_function Predicate>
Out remove_copy_if(const P& policy, In first, In last, Out out, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out : detail::copy_selected(policy.queue(), first, count, out, [] {
        return detail::fails<Predicate, detail::iterated_t<In>>();
    });
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(remove_copy_if);

}  // namespace pointsman
