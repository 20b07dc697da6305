// SPDX-License-Identifier: Apache-2.0
// Copies a range with its second part before its first, on host or device.
#pragma once

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/execution/host_policies.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies [`middle`, `last`) and then [`first`, `middle`) to the range beginning at `out`, which must not
/// overlap the input, and returns the end of the output. Blocks until complete.
/// **Throws**: under a `device_policy`, `opencl::error`, `invalid_option`.
template <execution::host_policy P, class In, class Out>
Out rotate_copy(const P& policy, In first, In middle, In last, Out out) {
    return pointsman::copy(policy, first, middle, pointsman::copy(policy, middle, last, out));
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, device_iterator Out>
Out rotate_copy(const P& policy, In first, In middle, In last, Out out) {
    return pointsman::copy(policy, first, middle, pointsman::copy(policy, middle, last, out));
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(rotate_copy);

}  // namespace pointsman
