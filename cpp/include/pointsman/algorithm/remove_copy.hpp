// SPDX-License-Identifier: Apache-2.0
// Copies the values that do not equal a given one and keeps their order, on host or device.
#pragma once

#include <algorithm>
#include <cstddef>
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

/// Copies the values of [`first`, `last`) that do not equal `value`, in their order, to the range beginning
/// at `out`, which must not overlap the input, and returns the end of the output. Otherwise like `copy_if`.
template <execution::host_policy P, class In, class Out, class T>
Out remove_copy(const P& policy, In first, In last, Out out, const T& value) {
    if constexpr (detail::iterator_of_small_values<In>) {
        return detail::copy_kept(policy, first, last, out,
                                 [&](const auto& each) { return !(each == value); });
    } else {
        return detail::with_standard<Out>(
            policy, std::pair{first, last}, [&](const auto& standard) {
                return std::remove_copy(standard, first, last, out, value);
            });
    }
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out, device_value T>
Out remove_copy(const P& policy, In first, In last, Out out, const T& value) {
    using read = detail::iterated_t<In>;
    using compared = detail::compared_t<read, T>;
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return out;
    }
    const auto removed = static_cast<compared>(value);
    return detail::copy_selected(policy.queue(), first, count, out,
                                 [] { return detail::differs_from_constant<read, compared>(); },
                                 {opencl::kernel_argument{removed}});
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(remove_copy);

}  // namespace pointsman
