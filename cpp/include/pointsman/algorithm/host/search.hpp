// SPDX-License-Identifier: Apache-2.0
// Finds the first place of a range at which a condition on several values holds, in one thread or several.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <iterator>

#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// Returns the least index of [`begin`, `end`) for which `holds(index)` is true, or `end`. An unsequenced policy allows
/// to ask for several indices at once, which compilers do in vector registers.
template <execution::host_policy P, class Holds>
std::ptrdiff_t first_index_alone(std::ptrdiff_t begin, std::ptrdiff_t end, const Holds& holds) {
    if constexpr (is_unsequenced_v<P>) {
        constexpr std::ptrdiff_t at_once = 64;
        for (; end - begin >= at_once; begin += at_once) {
            unsigned held = 0;
            for (std::ptrdiff_t i = begin; i < begin + at_once; ++i) {
                held += holds(i) ? 1U : 0U;
            }
            if (held != 0) {
                break;
            }
        }
    }
    while (begin < end && !holds(begin)) {
        ++begin;
    }
    return begin;
}

/// Returns the least index below `count` for which `holds(index)` is true, or `count` if there is none.
/// Threads leave out the indices above one that another thread has found. An exception ends the program, as
/// the standard requires of algorithms with a policy.
template <execution::host_policy P, class Holds>
std::ptrdiff_t first_index(const P&, std::ptrdiff_t count, const Holds& holds) noexcept {
    if constexpr (!is_parallel_v<P>) {
        return first_index_alone<P>(0, count, holds);
    } else {
        // A few first, since threads take longer to wake up.
        const std::ptrdiff_t alone = count < steps_worth_threads ? count : 64;
        std::atomic<std::ptrdiff_t> found{first_index_alone<P>(0, alone, holds)};
        if (alone == count || found != alone) {
            return found;
        }
        found = count;
        constexpr std::ptrdiff_t checked_at_once = 256;
        const auto search_part = [&](std::size_t part, std::size_t part_end) {
            const auto end = alone + static_cast<std::ptrdiff_t>(part_end);
            auto begin = alone + static_cast<std::ptrdiff_t>(part);
            while (begin < end && begin < found.load(std::memory_order_relaxed)) {
                const std::ptrdiff_t until = std::min(begin + checked_at_once, end);
                begin = first_index_alone<P>(begin, until, holds);
                if (begin != until) {
                    lower_to(found, begin);
                    return;
                }
            }
        };
        in_threads_isolated(static_cast<std::size_t>(count - alone), checked_at_once, search_part);
        return found;
    }
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
