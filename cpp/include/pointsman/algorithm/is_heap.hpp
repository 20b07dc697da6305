// SPDX-License-Identifier: Apache-2.0
// Tests on host or device whether a range is a heap.
#pragma once

#include "pointsman/algorithm/detail/auto_dispatch.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/is_heap_until.hpp"
#include "pointsman/execution/auto_reach.hpp"

namespace pointsman {

/// Returns true if [`first`, `last`) is a heap. Otherwise like `is_heap_until`.
template <execution::placing_policy P, class It, class Compare>
bool is_heap(const P& policy, It first, It last, Compare compare) {
    return pointsman::is_heap_until(policy, first, last, compare) == last;
}

/// Like `is_heap` above, with `less` as `compare`.
template <execution::placing_policy P, class It>
bool is_heap(const P& policy, It first, It last) {
    return pointsman::is_heap(policy, first, last, less{});
}

POINTSMAN_TAKES_AUTO_POLICY(is_heap);

}  // namespace pointsman
