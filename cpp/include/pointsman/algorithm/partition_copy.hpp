// SPDX-License-Identifier: Apache-2.0
// Copies the values that satisfy a predicate to one range and the others to another.
#pragma once

#include <algorithm>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/algorithm/remove_copy_if.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of [`first`, `last`) for which `predicate` holds to the range beginning at `matching`
/// and the others to the one beginning at `others`, in their order, and returns the ends of both. No two of
/// the three ranges overlap. Otherwise like `copy_if`.
template <execution::host_policy P, class In, class Out, class Out2, class Predicate>
std::pair<Out, Out2> partition_copy(const P& policy, In first, In last, Out matching, Out2 others,
                                    Predicate predicate) {
    return detail::with_standard<Out, Out2>(
        policy, std::pair{first, last}, [&](const auto& standard) {
            return std::partition_copy(standard, first, last, matching, others, predicate);
        });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_iterator Out2,
          device_function Predicate>
std::pair<Out, Out2> partition_copy(const P& policy, In first, In last, Out matching, Out2 others,
                                    Predicate predicate) {
    return {pointsman::copy_if(policy, first, last, matching, predicate),
            pointsman::remove_copy_if(policy, first, last, others, predicate)};
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(partition_copy);

}  // namespace pointsman
