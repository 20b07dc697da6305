// SPDX-License-Identifier: Apache-2.0
// The types of values that algorithms handle on a device, and their names in OpenCL C.
#pragma once

#include <cctype>
#include <climits>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/opencl/device_tuple.hpp"

namespace pointsman {

/// A `device_number`, or a `std::tuple` or POINTSMAN_STRUCT of these.
template <class T>
concept device_value = device_number<T> || detail::device_row<T>;

namespace detail {

static_assert(CHAR_BIT == 8);

/// A type of values in memory that a device reads.
template <class T>
concept device_element = device_number<T> || is_device_tuple<T>;

/// The name of the type in which kernels compute, such as "uint" for `std::uint32_t`; it is "float" for
/// `half`, although memory holds 16 bits.
template <device_number T>
[[nodiscard]] constexpr std::string_view opencl_type() {
    if constexpr (is_half_v<T>) {
        return "float";
    } else if constexpr (std::floating_point<T>) {
        return sizeof(T) == sizeof(float) ? "float" : "double";
    } else {
        constexpr std::string_view name = sizeof(T) == 1   ? "uchar"
                                          : sizeof(T) == 2 ? "ushort"
                                          : sizeof(T) == 4 ? "uint"
                                                           : "ulong";
        return std::is_signed_v<T> ? name.substr(1) : name;
    }
}

template <class... Ts>
[[nodiscard]] std::string_view tuple_type(std::type_identity<device_tuple<Ts...>>) {
    static const std::string name = [] {
        std::string text{tuple_prefix};
        ((text.append(opencl_type<Ts>()).append("_")), ...);
        text.pop_back();
        return text;
    }();
    return name;
}
template <device_row T>
[[nodiscard]] std::string_view opencl_type() {
    return tuple_type(std::type_identity<typename in_device_tuple<T>::type>{});
}

/// The type in which kernels compute with a `T`, as the host has it.
template <class T>
struct computed {
    using type = computed_number_t<T>;
};
template <device_row T>
struct computed<T> : in_device_tuple<T> {};
template <class T>
using computed_t = typename computed<T>::type;
/// The type in which memory holds a `T`.
template <class T>
using in_memory_t =
    typename std::conditional_t<device_row<T>, computed<T>, std::type_identity<T>>::type;

/// Precedes user-defined functions: defines the C++ names of integer types, and turns off the contraction of
/// operations, so that each is rounded as on the host.
inline constexpr std::string_view opencl_prelude =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "typedef char int8_t;\ntypedef uchar uint8_t;\n"
    "typedef short int16_t;\ntypedef ushort uint16_t;\n"
    "typedef int int32_t;\ntypedef uint uint32_t;\n"
    "typedef long int64_t;\ntypedef ulong uint64_t;\n";

/// Returns true if a program, which must have no comments, contains the type `half` or a conversion of it.
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
