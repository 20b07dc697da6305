// SPDX-License-Identifier: Apache-2.0
// The size class of an argument: what of it counts in a task's key.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <type_traits>

namespace fairlead {

/// Power-of-two class of a number of bytes or of an integer's magnitude: 0 for 0, else one more than
/// the floor of its binary logarithm.
[[nodiscard]] constexpr std::uint8_t size_class_of(std::uint64_t size) noexcept {
    return static_cast<std::uint8_t>(std::bit_width(size));
}

/// Tells the size class of an argument of type `T`: the bytes of a sized range, the magnitude of an
/// integer, nothing of anything else. Specialise it for a type of your own with
/// `static std::uint8_t of(const T&) noexcept`.
template <class T>
struct size_class {
    static constexpr std::uint8_t of(const T& value) noexcept {
        if constexpr (std::same_as<T, bool>) {
            return 0;
        } else if constexpr (std::integral<T>) {
            const auto wide = static_cast<std::int64_t>(value);
            return size_class_of(std::unsigned_integral<T> || wide >= 0
                                     ? static_cast<std::uint64_t>(wide)
                                     : std::uint64_t{0} - static_cast<std::uint64_t>(wide));
        } else if constexpr (std::ranges::sized_range<const T&>) {
            return size_class_of(std::ranges::size(value) *
                                 sizeof(std::ranges::range_value_t<const T&>));
        } else {
            return 0;
        }
    }
};

}  // namespace fairlead
