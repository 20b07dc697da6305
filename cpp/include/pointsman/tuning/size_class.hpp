// SPDX-License-Identifier: Apache-2.0
// Maps an argument of a task to its size class: a power of two, or a value, that is part of the task key.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>

namespace pointsman {

/// Returns the power-of-two class of a number of bytes or of an integer's magnitude: 0 for 0, otherwise
/// the floor of its binary logarithm plus 1.
[[nodiscard]] constexpr std::uint8_t size_class_of(std::uint64_t size) noexcept {
    return static_cast<std::uint8_t>(std::bit_width(size));
}

/// The classes from here on stand for values: tasks of two of them are as unlike as if they called unlike
/// functions. Tasks that differ in lower classes are the same work on more or less data.
inline constexpr std::uint8_t first_value_class = 65;

namespace detail {
template <std::integral T>
[[nodiscard]] constexpr std::uint8_t class_of_integer(T value) noexcept {
    const auto wide = static_cast<std::int64_t>(value);
    return size_class_of(std::unsigned_integral<T> || wide >= 0
                             ? static_cast<std::uint64_t>(wide)
                             : std::uint64_t{0} - static_cast<std::uint64_t>(wide));
}

/// Returns a separate class for each enumerator from 0 to 63. For larger and negative enumerators, returns
/// a class of the magnitude, so that single bits are distinguished as well.
template <std::integral T>
[[nodiscard]] constexpr std::uint8_t class_of_enumerator(T value) noexcept {
    constexpr int small = 64;
    constexpr int first_large = first_value_class + small;  // of 2^6, whose class is 7
    constexpr int first_negative = first_large + 58;        // of -1, whose class is 1
    if (std::signed_integral<T> && value < T{}) {
        return static_cast<std::uint8_t>(first_negative - 1 + class_of_integer(value));
    }
    const auto magnitude = static_cast<std::uint64_t>(value);
    return magnitude < small ? static_cast<std::uint8_t>(first_value_class + magnitude)
                             : static_cast<std::uint8_t>(first_large - 7 + class_of_integer(value));
}
/// Characters beyond 189 share a class.
[[nodiscard]] constexpr std::uint8_t class_of_character(char value) noexcept {
    constexpr unsigned char last = 255 - first_value_class;
    const auto code = static_cast<unsigned char>(value);
    return static_cast<std::uint8_t>(first_value_class + (code < last ? code : last));
}
}  // namespace detail

/// The size class of an argument of type `T`: the class of the number of bytes of a sized range or of the
/// magnitude of an integer or `std::byte`; a value class for a `bool`, a `char` or a small enumerator; the
/// size class of the target of a `std::reference_wrapper`; 0 for anything else. Floating-point numbers
/// also have class 0: their values seldom say how much work there is. Specialise it for a user-defined
/// type with `static std::uint8_t of(const T&) noexcept`.
template <class T>
struct size_class {
    static constexpr std::uint8_t of(const T& value) noexcept {
        if constexpr (std::same_as<T, bool>) {
            return of_value(value);
        } else if constexpr (std::same_as<T, char>) {
            return detail::class_of_character(value);
        } else if constexpr (std::integral<T>) {
            return detail::class_of_integer(value);
        } else if constexpr (std::same_as<T, std::byte>) {
            return detail::class_of_integer(static_cast<std::uint8_t>(value));
        } else if constexpr (std::is_enum_v<T>) {
            return of_value(static_cast<std::underlying_type_t<T>>(value));
        } else if constexpr (requires {
                                 std::ranges::end(value);
                                 std::ranges::size(value);
                             }) {
            return size_class_of(std::ranges::size(value) *
                                 sizeof(std::iter_value_t<decltype(std::ranges::begin(value))>));
        } else {
            return 0;
        }
    }

  private:
    template <class Value>
    static constexpr std::uint8_t of_value(Value value) noexcept {
        if constexpr (std::same_as<Value, bool>) {
            return static_cast<std::uint8_t>(first_value_class + (value ? 1 : 0));
        } else {
            return detail::class_of_enumerator(value);
        }
    }
};

template <class T>
struct size_class<std::reference_wrapper<T>> {
    static constexpr std::uint8_t of(std::reference_wrapper<T> value) noexcept {
        return size_class<std::remove_cv_t<T>>::of(value.get());
    }
};

}  // namespace pointsman
