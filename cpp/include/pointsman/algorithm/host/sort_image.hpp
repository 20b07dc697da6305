// SPDX-License-Identifier: Apache-2.0
// The total order of floating numbers in sort, and a mapping to integers that have this order.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/half.hpp"

namespace pointsman::detail {

/// The unsigned integer of `SizeBytes` bytes.
template <std::size_t SizeBytes>
using unsigned_of_size = std::conditional_t<
    SizeBytes == 1, std::uint8_t,
    std::conditional_t<SizeBytes == 2, std::uint16_t,
                       std::conditional_t<SizeBytes == 4, std::uint32_t, std::uint64_t>>>;

/// A floating number with as many bytes as an integer; `long double` has more.
template <class T>
concept imaged_number = floating_number<T> && (sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

/// The bit pattern of infinity.
template <imaged_number T>
inline constexpr auto infinity_bits = [] {
    if constexpr (is_half_v<T>) {
        return std::uint16_t{0x7c00};
    } else {
        return std::bit_cast<unsigned_of_size<sizeof(T)>>(std::numeric_limits<T>::infinity());
    }
}();

/// Maps each bit pattern of a `T` to a signed integer, such that the integers have the order of `sort` by
/// `Compare`: zeros of both signs are neighbours, NaN comes last, ordered by its sign and its other bits.
///
/// Libraries that sort floating numbers may compare by value but test equality by bits, or the reverse,
/// which is inconsistent for zeros. For integers both tests agree.
template <imaged_number T, class Compare>
class sort_image {
  public:
    using bits = unsigned_of_size<sizeof(T)>;
    using type = std::make_signed_t<bits>;

    [[nodiscard]] static constexpr type of(bits value) noexcept {
        return static_cast<type>(
            static_cast<bits>(magnitude_turned(static_cast<bits>(value ^ turn)) - below));
    }
    [[nodiscard]] static constexpr bits back(type image) noexcept {
        return magnitude_turned(static_cast<bits>(static_cast<bits>(image) + below)) ^ turn;
    }

    static constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(bits) - 1));
    /// The bit to flip in all numbers for a descending order.
    static constexpr bits turn = rising<Compare, T> ? bits{0} : sign;
    /// The number of NaN bit patterns with the sign bit set. Subtracting it wraps them around, so that they
    /// come after all other numbers.
    static constexpr bits below = static_cast<bits>(static_cast<bits>(~sign) ^ infinity_bits<T>);

  private:
    /// Inverts the magnitude of negative numbers: the greater the number, the smaller its magnitude.
    static constexpr bits magnitude_turned(bits value) noexcept {
        return static_cast<bits>(value ^
                                 ((value & sign) != 0 ? static_cast<bits>(~sign) : bits{0}));
    }
};

/// The order of `sort` by `Compare`: by value, with -0.0 below 0.0, and with NaN last.
template <class Compare>
struct sort_order {
    template <imaged_number T>
    [[nodiscard]] bool operator()(const T& a, const T& b) const noexcept {
        using image = sort_image<T, Compare>;
        typename image::bits of_a;
        typename image::bits of_b;
        std::memcpy(&of_a, &a, sizeof of_a);
        std::memcpy(&of_b, &b, sizeof of_b);
        return image::of(of_a) < image::of(of_b);
    }
    template <class T>
    [[nodiscard]] bool operator()(const T& a, const T& b) const noexcept {
        const auto is_negative = [](T number) {
            return std::signbit(static_cast<long double>(number));
        };
        const bool is_turned = !rising<Compare, T>;
        return nan_last<Compare>{}(a, b) ||
               (a == b && is_negative(is_turned ? b : a) && !is_negative(is_turned ? a : b));
    }
};

/// `sort_order` if `compare` is `<` or `>` of floating `T`, otherwise `compare`.
template <class T, class Compare>
[[nodiscard]] constexpr auto in_sort_order([[maybe_unused]] Compare compare) {
    if constexpr (floating_number<T> && number_order<Compare, T>) {
        return sort_order<Compare>{};
    } else {
        return compare;
    }
}

}  // namespace pointsman::detail
