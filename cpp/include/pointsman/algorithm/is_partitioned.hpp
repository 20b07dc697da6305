// SPDX-License-Identifier: Apache-2.0
// Tests whether the values that satisfy a predicate come first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/search.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Returns true if no value of [`first`, `last`) for which `predicate` holds comes after one for which it
/// does not. Otherwise like `find_if`.
template <execution::host_policy P, class It, class Predicate>
bool is_partitioned(const P& policy, It first, It last, Predicate predicate) {
    return detail::with_standard(policy, std::pair{first, last}, [&](const auto& standard) {
        return std::is_partitioned(standard, first, last, predicate);
    });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator It, device_function Predicate>
bool is_partitioned(const P& policy, It first, It last, Predicate) {
    const auto count = static_cast<std::size_t>(last - first);
    using function = detail::called_for<Predicate, It>;
    return count < 2 || detail::find_neighbours<function>(
                            policy.queue(), first, count,
                            [] {
                                return "!" + detail::call_of<function>("v0") + " && " +
                                       detail::call_of<function>("v1");
                            }) == count - 1;
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(is_partitioned);

}  // namespace pointsman
