// SPDX-License-Identifier: Apache-2.0
// `uninitialized_fill` for a range given by its first place and its length.
#pragma once

#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/uninitialized_fill.hpp"

namespace pointsman {

/// Like `uninitialized_fill`, for the `count` places beginning at `first`. Returns the iterator past the
/// last.
template <execution::host_policy P, class It, class Size, class T>
It uninitialized_fill_n(const P& policy, It first, Size count, const T& value) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    pointsman::uninitialized_fill(policy, first, last, value);
    return last;
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_fill_n);

}  // namespace pointsman
