// SPDX-License-Identifier: Apache-2.0
// Finds the first place of a range at which a condition on several values holds, in one thread or several.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/tbb_threads.hpp"

namespace pointsman::detail {

/// Returns the least index below `count` for which `holds(index)` is true, or `count` if there is none.
/// Threads leave out the indices above one that another thread has found. An exception ends the program, as
/// the standard requires of algorithms with a policy.
template <execution::host_policy P, class Holds>
std::ptrdiff_t first_index(const P&, std::ptrdiff_t count, const Holds& holds) noexcept {
    constexpr std::ptrdiff_t checked_at_once = 256;
    std::atomic<std::ptrdiff_t> found{count};
    const auto search_in = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) {
            if (i % checked_at_once == 0 && found.load(std::memory_order_relaxed) < i) {
                return;
            }
            if (holds(i)) {
                std::ptrdiff_t least = found.load(std::memory_order_relaxed);
                while (i < least &&
                       !found.compare_exchange_weak(least, i, std::memory_order_relaxed)) {
                }
                return;
            }
        }
    };
    if (!is_parallel_v<P> || count < steps_worth_threads) {
        search_in(0, count);
    } else {
        tbb_threads::note_use();
        tbb::parallel_for(tbb::blocked_range<std::ptrdiff_t>{0, count, checked_at_once},
                          [&](const auto& part) { search_in(part.begin(), part.end()); });
    }
    return found.load(std::memory_order_relaxed);
}

/// Returns true if `predicate` holds for each value from `at` on and each of [`sought`, `sought_last`).
template <class In, class In2, class Predicate>
[[nodiscard]] bool begins_with(In at, In2 sought, In2 sought_last, const Predicate& predicate) {
    for (; sought != sought_last; ++at, ++sought) {
        if (!std::invoke(predicate, *at, *sought)) {
            return false;
        }
    }
    return true;
}

}  // namespace pointsman::detail
