// SPDX-License-Identifier: Apache-2.0
// Moves a range to another on the host; on a device like `copy`.
#pragma once

#include <algorithm>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Moves the values of [`first`, `last`) to the range beginning at `out`, which must not overlap the input,
/// and returns the end of the output. Blocks until complete. Under a `device_policy` like `copy`.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
template <execution::host_policy P, class In, class Out>
Out move(const P& policy, In first, In last, Out out) {
    return detail::write_in_blocks(policy, first, last, out,
                                   [&](const auto& standard, In begin, In end, Out to) {
                                       return std::move(standard, begin, end, to);
                                   });
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out>
Out move(const P& policy, In first, In last, Out out) {
    return pointsman::copy(policy, first, last, out);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(move);

}  // namespace pointsman
