// SPDX-License-Identifier: Apache-2.0
// Copies a range within host or device memory, or between them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/copy.hpp"
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the values of [`first`, `last`) to the range beginning at `out`, which must not overlap the
/// input, and returns the end of the output. Blocks until complete. Under a `device_policy`, the input,
/// the output or both may be in an `opencl::buffer`.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
template <execution::host_policy P, class In, class Out>
Out copy(const P& policy, In first, In last, Out out) {
    return detail::write_in_blocks(policy, first, last, out,
                                   [&](const auto& standard, In begin, In end, Out to) {
                                       return std::copy(standard, begin, end, to);
                                   });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out>
Out copy(const P& policy, In first, In last, Out out) {
    const auto count = static_cast<std::size_t>(last - first);
    if (count == 0) {
        return out;
    }
    if constexpr (!std::same_as<detail::iterated_t<In>, detail::iterated_t<Out>> ||
                  detail::fused_values<In>::is_computed) {
        return detail::map_on_device<identity_value>(policy.queue(), count, out, first);
    } else {
        detail::copy_on_device(policy.queue(), first, count, out);
        return out + static_cast<std::ptrdiff_t>(count);
    }
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(copy);

}  // namespace pointsman
