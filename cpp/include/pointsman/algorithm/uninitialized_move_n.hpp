// SPDX-License-Identifier: Apache-2.0
// `uninitialized_move` for a range given by its first value and its length.
#pragma once

#include <iterator>
#include <utility>

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/uninitialized_move.hpp"

namespace pointsman {

/// Moves the `count` values beginning at `first` to the memory that begins at `out`, and returns the ends
/// of the input and of the output. See `uninitialized_move`.
template <execution::host_policy P, class In, class Size, class Out>
std::pair<In, Out> uninitialized_move_n(const P& policy, In first, Size count, Out out) {
    if (count <= 0) {
        return {first, out};
    }
    const In last = std::next(first, static_cast<std::iter_difference_t<In>>(count));
    return {last, pointsman::uninitialized_move(policy, first, last, out)};
}

POINTSMAN_TAKES_AUTO_POLICY(uninitialized_move_n);

}  // namespace pointsman
