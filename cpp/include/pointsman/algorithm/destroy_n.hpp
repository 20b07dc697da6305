// SPDX-License-Identifier: Apache-2.0
// `destroy` for a range given by its first object and its length.
#pragma once

#include <iterator>

#include "pointsman/algorithm/destroy.hpp"
#include "pointsman/algorithm/detail/auto_dispatch.hpp"

namespace pointsman {

/// Like `destroy`, for the `count` objects beginning at `first`. Returns the iterator past the last.
template <execution::host_policy P, class It, class Size>
It destroy_n(const P& policy, It first, Size count) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    pointsman::destroy(policy, first, last);
    return last;
}

POINTSMAN_TAKES_AUTO_POLICY(destroy_n);

}  // namespace pointsman
