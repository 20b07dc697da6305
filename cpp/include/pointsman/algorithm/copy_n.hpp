// SPDX-License-Identifier: Apache-2.0
// `copy` for a range given by its first value and its length.
#pragma once

#include <cstddef>
#include <iterator>

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman {

/// Copies the `count` values beginning at `first` to the range beginning at `out`, and returns the end of
/// the output. See `copy`.
template <execution::host_policy P, class In, class Size, class Out>
Out copy_n(const P& policy, In first, Size count, Out out) {
    if (count <= 0) {
        return out;
    }
    const In last = std::next(first, static_cast<std::iter_difference_t<In>>(count));
    return pointsman::copy(policy, first, last, out);
}

#ifndef POINTSMAN_WITHOUT_OPENCL
template <execution::on_device P, device_iterator In, class Size, device_iterator Out>
Out copy_n(const P& policy, In first, Size count, Out out) {
    return count <= 0
               ? out
               : pointsman::copy(policy, first, first + static_cast<std::ptrdiff_t>(count), out);
}
#endif

POINTSMAN_TAKES_AUTO_POLICY(copy_n);

}  // namespace pointsman
