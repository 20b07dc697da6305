// SPDX-License-Identifier: Apache-2.0
// The types of values that algorithms handle on a device, and what OpenCL C calls them.
#pragma once

#include <climits>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace fairlead {

/// An integer of 8 to 64 bits, `float` or `double` (where the device has it).
template <class T>
concept device_value =
    std::same_as<T, std::remove_cv_t<T>> && !std::same_as<T, bool> &&
    ((std::integral<T> && sizeof(T) <= 8) || std::same_as<T, float> || std::same_as<T, double>);

namespace detail {

static_assert(CHAR_BIT == 8);

/// Such as "uint" for `std::uint32_t`.
template <device_value T>
[[nodiscard]] std::string opencl_type() {
    if constexpr (std::floating_point<T>) {
        return sizeof(T) == sizeof(float) ? "float" : "double";
    } else {
        constexpr std::string_view name = sizeof(T) == 1   ? "char"
                                          : sizeof(T) == 2 ? "short"
                                          : sizeof(T) == 4 ? "int"
                                                           : "long";
        return (std::is_signed_v<T> ? "" : "u") + std::string{name};
    }
}

/// Goes before the functions of a user: the types that C++ and OpenCL C have under other names, and the
/// arithmetic of the host, which rounds each operation.
inline constexpr std::string_view opencl_prelude =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "typedef char int8_t;\ntypedef uchar uint8_t;\n"
    "typedef short int16_t;\ntypedef ushort uint16_t;\n"
    "typedef int int32_t;\ntypedef uint uint32_t;\n"
    "typedef long int64_t;\ntypedef ulong uint64_t;\n";

}  // namespace detail
}  // namespace fairlead
