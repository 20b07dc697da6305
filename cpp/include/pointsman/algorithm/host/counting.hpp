// SPDX-License-Identifier: Apache-2.0
// Counts values on the host, as many at once as vector registers hold.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>

#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"

namespace pointsman::detail {

/// Counts pieces of a fixed length, which compilers process in vector registers also at -O2, in counters as wide as the
/// values, so that what comparisons return need not be widened.
template <class T, class Predicate>
[[nodiscard]] std::size_t count_alone(T* first, T* last, Predicate& predicate) noexcept {
    using counter =
        std::conditional_t<sizeof(T) == 1, std::uint8_t,
                           std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>;
    constexpr std::ptrdiff_t piece = 128;
    std::size_t found = 0;
    for (; last - first >= piece; first += piece) {
        counter of_piece = 0;
        for (std::ptrdiff_t i = 0; i < piece; ++i) {
            of_piece = static_cast<counter>(of_piece + (predicate(first[i]) ? 1 : 0));
        }
        found += of_piece;
    }
    for (; first != last; ++first) {
        found += predicate(*first) ? 1U : 0U;
    }
    return found;
}

/// `std::count_if` in blocks. Of values of eight bytes the library's own loop is as fast.
template <execution::host_policy P, class It, class Predicate>
std::iter_difference_t<It> count_where(const P& policy, It first, It last, Predicate predicate) {
    return count_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
        if constexpr (iterator_of_small_values<It> && sizeof(std::iter_value_t<It>) <= 4) {
            auto* const values = std::to_address(begin);
            Predicate own = predicate;
            return static_cast<std::iter_difference_t<It>>(
                count_alone(values, values + (end - begin), own));
        } else {
            return std::count_if(standard, begin, end, predicate);
        }
    });
}

}  // namespace pointsman::detail
