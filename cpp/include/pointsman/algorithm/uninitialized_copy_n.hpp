// SPDX-License-Identifier: Apache-2.0
// `uninitialized_copy` for a range given by its first value and its length.
#pragma once

#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/uninitialized_copy.hpp"

namespace pointsman {

/// Constructs copies of the `count` values beginning at `first` in the memory that begins at `out`, and
/// returns the end of the output. See `uninitialized_copy`.
template <execution::host_policy P, class In, class Size, class Out>
Out uninitialized_copy_n(const P& policy, In first, Size count, Out out) {
    if (count <= 0) {
        return out;
    }
    const In last = std::next(first, static_cast<std::iter_difference_t<In>>(count));
    return pointsman::uninitialized_copy(policy, first, last, out);
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_copy_n);

}  // namespace pointsman
