// SPDX-License-Identifier: Apache-2.0
// Copies a range without consecutive repeats, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/compaction.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Of each run of consecutive values in [`first`, `last`) that are equal by `predicate`, copies the first
/// to the range beginning at `out`, which must not overlap the input, and returns the end of the output.
/// Otherwise like `unique`.
template <execution::host_policy P, class In, class Out, class Predicate>
Out unique_copy(const P& policy, In first, In last, Out out, Predicate predicate) {
    return detail::with_standard<Out>(policy, std::pair{first, last}, [&](const auto& standard) {
        return std::unique_copy(standard, first, last, out, predicate);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out,
          device_function Predicate>
Out unique_copy(const P& policy, In first, In last, Out out, Predicate) {
    using value = detail::iterated_t<In>;
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? out
                      : detail::copy_selected<detail::engine::kept_values::first_of_runs>(
                            policy.queue(), first, count, out,
                            [] { return detail::expression_of<Predicate, value, value>(); });
}
#endif

/// Like `unique_copy` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class In, class Out>
Out unique_copy(const P& policy, In first, In last, Out out) {
    return pointsman::unique_copy(policy, first, last, out, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(unique_copy);

}  // namespace pointsman
