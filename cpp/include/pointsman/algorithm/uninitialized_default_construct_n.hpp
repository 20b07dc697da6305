// SPDX-License-Identifier: Apache-2.0
// `uninitialized_default_construct` for a range given by its first place and its length.
#pragma once

#include <iterator>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/uninitialized_default_construct.hpp"

namespace pointsman {

/// Like `uninitialized_default_construct`, for the `count` places beginning at `first`. Returns the
/// iterator past the last.
template <execution::host_policy P, class It, class Size>
It uninitialized_default_construct_n(const P& policy, It first, Size count) {
    if (count <= 0) {
        return first;
    }
    const It last = std::next(first, static_cast<std::iter_difference_t<It>>(count));
    pointsman::uninitialized_default_construct(policy, first, last);
    return last;
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_default_construct_n);

}  // namespace pointsman
