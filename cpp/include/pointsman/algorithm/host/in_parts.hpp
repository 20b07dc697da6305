// SPDX-License-Identifier: Apache-2.0
// Runs a sequential algorithm on a range, or on parts of it in several threads.
#pragma once

#include <cstddef>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// Calls `run(begin, end)` for parts that together are [`first`, `last`), in several threads if `P` is
/// parallel and the range large enough, otherwise once. For algorithms whose parallel form in libstdc++
/// requires more of the types: those for uninitialized memory (GCC 12) need an assignment operator. An
/// exception ends the program, as the standard requires of algorithms with a policy.
template <execution::host_policy P, class It, class Run>
void in_parts(const P&, It first, It last, const Run& run) noexcept {
    if constexpr (is_parallel_v<P> && indexed_iterator<It>) {
        if (last - first >= steps_worth_threads) {
            in_threads_isolated(static_cast<std::size_t>(last - first), 1024,
                                [&](std::size_t begin, std::size_t end) {
                                    run(ahead(first, begin), ahead(first, end));
                                });
            return;
        }
    }
    run(first, last);
}

}  // namespace pointsman::detail
