// SPDX-License-Identifier: Apache-2.0
// Counts the values that satisfy a predicate, on host or device.
#pragma once

#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/counting.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns the number of values of [`first`, `last`) for which `predicate` holds.
///
/// Under a `device_policy`, `predicate` is a `device_function` and values are integers, `float`, `double` or
/// `half`.
/// **Throws**: under a `device_policy`, `build_error`, `opencl::error`, `invalid_option`. On the host, an
/// exception from `predicate` ends the program, as the standard requires.
template <execution::host_policy P, class It, class Predicate>
std::iter_difference_t<It> count_if(const P& policy, It first, It last, Predicate predicate) {
    return detail::count_where(policy, first, last, predicate);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
std::ptrdiff_t count_if(const P& policy, It first, It last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    return count == 0 ? 0
                      : static_cast<std::ptrdiff_t>(
                            detail::count_on_device(policy.queue(), first, count, [] {
                                return detail::expression_of<Predicate, detail::iterated_t<It>>();
                            }));
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(count_if);

}  // namespace pointsman
