// SPDX-License-Identifier: Apache-2.0
// The digits of keys for a radix sort, and its kernels for processors.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>

#include "fairlead/algorithm/opencl_launch.hpp"
#include "fairlead/algorithm/opencl_parts.hpp"
#include "fairlead/algorithm/opencl_type.hpp"
#include "fairlead/algorithm/order.hpp"

namespace fairlead::detail {

/// `BITS(key)`: unsigned numbers in the order of the keys. Zeros of either sign have the same, NaN has the
/// greatest of all, which has only ones; and `LAST_KEY`, whose bits are only ones too.
template <device_value Key>
[[nodiscard]] std::string bits_text(bool is_rising) {
    const std::string invert = is_rising ? "" : "~";
    const std::string sign = "((bits_t)1 << " + std::to_string(sizeof(Key) * 8 - 1) + ")";
    if constexpr (floating_number<Key>) {
        const std::string bits = sizeof(Key) == 2 ? "ushort" : sizeof(Key) == 4 ? "uint" : "ulong";
        return "typedef " + bits + " bits_t;\n" +
               "bits_t ordered(key_t key) {\n"
               "    const bits_t bits = key == 0 ? 0 : as_" +
               bits +
               "(key);\n"
               "    return bits & " +
               sign + " ? ~bits : bits | " + sign +
               ";\n"
               "}\n"
               "#define BITS(key) (isnan(key) ? ~(bits_t)0 : " +
               invert + "ordered(key))\n#define LAST_KEY NAN\n";
    } else {
        const std::string flip = std::is_signed_v<Key> ? " ^ " + sign : "";
        return "typedef " + opencl_type<std::make_unsigned_t<Key>>() +
               " bits_t;\n#define BITS(key) ((bits_t)" + invert + "((bits_t)(key)" + flip +
               "))\n#define LAST_KEY ((key_t)((bits_t)" + (is_rising ? "~(bits_t)0" : "0") + flip +
               "))\n";
    }
}

/// The types of the arrays, and what the values add to the parameters and the body of `move_keys`.
template <device_value Key, device_value... Values>
[[nodiscard]] std::string types_text(bool is_rising) {
    std::string parameters;
    std::string moves;
    int place = 0;
    [[maybe_unused]] const auto add = [&]<class Value>(std::type_identity<Value>) {
        const std::string from = "values" + std::to_string(place);
        const std::string to = "out_values" + std::to_string(place++);
        parameters += ", global const " + opencl_type<Value>() + "* " + from + ", ulong at_" +
                      from + ", global " + opencl_type<Value>() + "* " + to + ", ulong at_" + to;
        moves += to + "[at_" + to + " + (after)] = " + from + "[at_" + from + " + (before)];";
    };
    (add(std::type_identity<Values>{}), ...);
    return "typedef " + opencl_type<Key>() + " key_t;\n" + bits_text<Key>(is_rising) +
           "#define VALUE_PARAMETERS " + parameters + "\n#define MOVE_VALUES(before, after) " +
           moves + "\n#define HAS_VALUES " + std::to_string(sizeof...(Values)) + "\n";
}

/// For processors: a work item counts the digits of its part, and moves its keys one after the other.
/// `counts` has for each digit the parts' numbers, `starts` where they begin.
template <device_value Key, device_value... Values>
[[nodiscard]] std::string radix_text_alone(bool is_rising) {
    return program_text({}, types_text<Key, Values...>(is_rising) + R"(
#define DIGIT(key) ((BITS(key) >> shift) & 255)
kernel void count_digits(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                         ulong parts, global ulong* counts) {
)" + places_of_item + R"(
    uint count[256];
    for (int digit = 0; digit < 256; ++digit) count[digit] = 0;
    for (ulong i = begin; i < end; ++i) ++count[DIGIT(keys[at_keys + i])];
    for (int digit = 0; digit < 256; ++digit)
        counts[digit * parts + get_global_id(0)] = count[digit];
}
kernel void move_keys(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                      ulong parts, global const ulong* starts, global key_t* out, ulong at_out
                      VALUE_PARAMETERS) {
)" + places_of_item + R"(
    ulong next[256];
    for (int digit = 0; digit < 256; ++digit) next[digit] = starts[digit * parts + get_global_id(0)];
    for (ulong i = begin; i < end; ++i) {
        const key_t key = keys[at_keys + i];
        const ulong place = next[DIGIT(key)]++;
        out[at_out + place] = key;
        MOVE_VALUES(i, place);
    }
}
)");
}

}  // namespace fairlead::detail
