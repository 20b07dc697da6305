// SPDX-License-Identifier: Apache-2.0
// Removes consecutive repeats from a range.
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

/// Of each run of consecutive values in [`first`, `last`) that are equal by `predicate`, keeps the first.
/// Moves the kept values to the front and returns the iterator past them. The values after it are
/// unspecified. Blocks until complete.
///
/// Under a `device_policy`, `predicate` is a `device_function` and values are integers, `float`, `double` or
/// `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `predicate` ends the program, as the standard requires.
template <execution::host_policy P, class It, class Predicate>
It unique(const P& policy, It first, It last, Predicate predicate) {
    return detail::with_standard<It>(policy, std::pair{first, last}, [&](const auto& standard) {
        return std::unique(standard, first, last, predicate);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
It unique(const P& policy, It first, It last, Predicate) {
    using value = detail::iterated_t<It>;
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? last
                      : detail::keep_selected<detail::engine::kept_values::first_of_runs>(
                            policy.queue(), first, count,
                            [] { return detail::expression_of<Predicate, value, value>(); });
}
#endif

/// Like `unique` above, with `equal_to` as `predicate`.
template <execution::placing_policy P, class It>
It unique(const P& policy, It first, It last) {
    return pointsman::unique(policy, first, last, equal_to{});
}

POINTSMAN_TAKES_AUTO_POLICY(unique);

}  // namespace pointsman
