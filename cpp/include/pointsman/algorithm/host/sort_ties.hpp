// SPDX-License-Identifier: Apache-2.0
// A stable sort of floating numbers: equal ones have equal bits, but for zeros of both signs and NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <new>
#include <vector>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// Returns the bits of `value` without its sign.
template <imaged_number T>
[[nodiscard]] auto magnitude_of(const T& value) noexcept {
    using image = sort_image<T, less>;
    typename image::bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<typename image::bits>(bits &
                                             static_cast<typename image::bits>(~image::sign));
}
template <imaged_number T>
[[nodiscard]] bool has_nan_bits(const T& value) noexcept {
    return magnitude_of(value) > infinity_bits<T>;
}
/// Returns true for zeros and NaN, which are equal to others with other bits.
template <imaged_number T>
[[nodiscard]] bool is_tied(const T& value) noexcept {
    return magnitude_of(value) == 0 || has_nan_bits(value);
}

/// Returns how many of `count` values are tied; in TBB's threads if `threads` is greater than 1.
template <imaged_number T>
[[nodiscard]] std::size_t count_tied(const T* first, std::size_t count, std::size_t threads) {
    constexpr std::size_t worth_a_thread = 65'536;
    const auto count_part = [&](std::size_t begin, std::size_t end) {
        std::size_t of_part = 0;
        for (std::size_t i = begin; i != end; ++i) {
            of_part += is_tied(first[i]) ? 1 : 0;
        }
        return of_part;
    };
    return threads < 2 || count < 2 * worth_a_thread
               ? count_part(0, count)
               : sum_in_threads_isolated(count, worth_a_thread, count_part);
}

/// Stable sort of floating numbers, NaN last. An unstable sort may exchange tied values; they are put back in their
/// original order afterwards. Returns false, without having sorted, if there is no memory for a copy of them.
template <execution::host_policy P, imaged_number T, number_order<T> Compare>
[[nodiscard]] bool sort_numbers_stably(const P& policy, T* first, T* last, const Compare& compare) {
    std::vector<T> tied;
    const auto size = static_cast<std::size_t>(last - first);
    if (const auto count = count_tied(first, size, sorting_threads<P>(size)); count > 1) {
        try {
            tied.reserve(count);
        } catch (const std::bad_alloc&) {
            return false;
        }
        std::copy_if(first, last, std::back_inserter(tied), &is_tied<T>);
    }
    sort_numbers(policy, first, last, compare);
    T* nan = last - std::count_if(tied.begin(), tied.end(), &has_nan_bits<T>);
    T* zero = std::partition_point(first, nan, [&](const T& value) { return compare(value, T{}); });
    for (const T& each : tied) {
        *(has_nan_bits(each) ? nan : zero)++ = each;
    }
    return true;
}

}  // namespace pointsman::detail
