// SPDX-License-Identifier: Apache-2.0
// The types of values that algorithms handle on a device, and what OpenCL C calls them.
#pragma once

#include <cctype>
#include <climits>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "pointsman/algorithm/half.hpp"

namespace pointsman {

/// An integer of 8 to 64 bits, `float`, `half` or, where the device has it, `double`.
template <class T>
concept device_value = std::same_as<T, std::remove_cv_t<T>> && !std::same_as<T, bool> &&
                       ((std::integral<T> && sizeof(T) <= 8) || std::same_as<T, float> ||
                        std::same_as<T, double> || is_half_v<T>);

namespace detail {

static_assert(CHAR_BIT == 8);

/// Such as "uint" for `std::uint32_t`: the type that kernels compute with, which for `half` is not that of memory.
template <device_value T>
[[nodiscard]] std::string opencl_type() {
    if constexpr (is_half_v<T>) {
        return "float";
    } else if constexpr (std::floating_point<T>) {
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

/// Whether the type `half` or a conversion of it occurs in a program without comments.
[[nodiscard]] inline bool mentions_half(std::string_view text) {
    if (text.find("_half(") != text.npos) {
        return true;
    }
    constexpr std::string_view word = "half";
    const auto is_of_name = [&](std::size_t at) {
        return at < text.size() &&
               (text[at] == '_' || std::isalnum(static_cast<unsigned char>(text[at])) != 0);
    };
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
        if ((at == 0 || !is_of_name(at - 1)) && !is_of_name(at + word.size())) {
            return true;
        }
    }
    return false;
}

}  // namespace detail
}  // namespace pointsman
