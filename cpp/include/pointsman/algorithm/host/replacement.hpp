// SPDX-License-Identifier: Apache-2.0
// Replaces values that satisfy a predicate on the host, without a branch for each of them.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/policy.hpp"

namespace pointsman::detail {

/// `std::replace_if` in the calling thread for values that are cheap to copy: notes the places, as a CPU could not
/// predict which values are replaced. The others are not written, since other threads may read them.
template <class It, class Predicate>
void replace_alone(It first, It last, Predicate& predicate,
                   const std::iter_value_t<It>& new_value) noexcept {
    std::array<std::uint8_t, 64> places;
    while (first != last) {
        const auto count = std::min(static_cast<std::size_t>(last - first), places.size());
        std::size_t found = 0;
        for (std::size_t i = 0; i < count; ++i) {
            places[found] = static_cast<std::uint8_t>(i);
            found += predicate(first[static_cast<std::iter_difference_t<It>>(i)]) ? 1U : 0U;
        }
        if (found == count) {
            std::fill_n(first, count, new_value);
        } else {
            for (std::size_t i = 0; i < found; ++i) {
                first[places[i]] = new_value;
            }
        }
        first += static_cast<std::iter_difference_t<It>>(count);
    }
}

/// `std::replace_if` in blocks. `new_value` may be an element of the range.
template <execution::host_policy P, class It, class Predicate, class T>
void replace_in_blocks(const P& policy, It first, It last, Predicate predicate,
                       const T& new_value) {
    using value = std::iter_value_t<It>;
    constexpr bool are_numbers = std::is_arithmetic_v<T> && std::is_arithmetic_v<value>;
    if constexpr (iterator_of_small_values<It> && (std::same_as<T, value> || are_numbers)) {
        const auto copied = static_cast<value>(new_value);
        change_in_blocks(policy, first, last, [&](const auto&, It begin, It end) {
            Predicate own = predicate;
            replace_alone(begin, end, own, copied);
        });
    } else {
        change_in_blocks(policy, first, last, [&](const auto& standard, It begin, It end) {
            std::replace_if(standard, begin, end, predicate, new_value);
        });
    }
}

}  // namespace pointsman::detail
