// SPDX-License-Identifier: Apache-2.0
// Runs the standard's algorithms for two sorted ranges on the host, in an order that NaN has a place in if there are any.
#pragma once

#include <concepts>
#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/host/policy.hpp"

namespace pointsman::detail {

/// Returns true if a range that is sorted with NaN last may have NaN.
template <class It>
[[nodiscard]] constexpr bool may_have_nan(const std::pair<It, It>& sorted) {
    if constexpr (!floating_number<std::iter_value_t<It>>) {
        return false;
    } else if constexpr (indexed_iterator<It>) {
        return sorted.first != sorted.second && sorted.second[-1] != sorted.second[-1];
    } else {
        return true;
    }
}

/// Calls `run(standard, order)` with a policy as `with_standard` does. The order is `with_nan_last` of `compare`, or
/// `compare` itself, which takes less time, where the last values of `first` and `second`, pairs of iterators, show that
/// there is no NaN.
template <class... Changed, execution::host_policy P, class First, class Second, class Compare,
          class Run>
auto with_sorted(const P& policy, const std::pair<First, First>& first,
                 const std::pair<Second, Second>& second, const Compare& compare, const Run& run) {
    const auto run_by = [&](const auto& order) {
        return with_standard<Changed...>(
            policy, first, second, [&](const auto& standard) { return run(standard, order); });
    };
    const auto order = with_nan_last<std::iter_value_t<First>, std::iter_value_t<Second>>(compare);
    if constexpr (!std::same_as<decltype(order), const Compare>) {
        if (!may_have_nan(first) && !may_have_nan(second)) {
            return run_by(compare);
        }
    }
    return run_by(order);
}

}  // namespace pointsman::detail
