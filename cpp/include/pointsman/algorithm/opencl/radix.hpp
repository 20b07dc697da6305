// SPDX-License-Identifier: Apache-2.0
// The digits of keys for a radix sort, and its kernels for processors.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/half.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/type.hpp"

namespace pointsman::detail {

/// How keys are sorted.
struct radix_order {
    bool is_rising;
    order_kind kind = order_kind::weak;  // of floating keys
};

/// What a kernel has for a `T` that it moves and does not compute with: no device lacks that.
template <device_value T>
[[nodiscard]] std::string moved_type() {
    if constexpr (floating_number<T>) {
        return opencl_type<unsigned_of_size<sizeof(T)>>();
    } else {
        return opencl_type<T>();
    }
}

/// `BITS(key)` for floating keys, which are integers with the same bits: see `sort_image`. In a weak order zeros
/// of either sign have the same, and NaN has only ones, as `LAST_KEY` has in each.
template <floating_number Key>
[[nodiscard]] std::string floating_bits_text(const radix_order& order) {
    using image = sort_image<Key, less>;
    constexpr auto greatest = std::numeric_limits<typename image::type>::max();
    const auto turn = order.is_rising ? typename image::bits{0} : image::sign;
    const auto define = [](const std::string& name, auto bits) {
        return "#define " + name + " ((bits_t)" + std::to_string(bits) + "ul)\n";
    };
    return "typedef " + moved_type<Key>() + " bits_t;\n" + define("SIGN", image::sign) +
           define("TURN", turn) + define("BELOW", image::below) +
           define("INFINITE", infinity_bits<Key>) +
           define("LAST_KEY", static_cast<typename image::bits>(image::back(greatest) ^ turn)) +
           "#define IS_WEAK " + (order.kind == order_kind::weak ? "1" : "0") + R"(
bits_t image_of(key_t key) {
    const bits_t magnitude = key & (bits_t)~SIGN;
    if (IS_WEAK && magnitude > INFINITE) return (bits_t)~(bits_t)0;
    const bits_t turned = IS_WEAK && magnitude == 0 ? (bits_t)0 : (bits_t)(key ^ TURN);
    return (bits_t)((turned & SIGN ? (bits_t)~turned : (bits_t)(turned ^ SIGN)) - BELOW);
}
#define BITS(key) image_of(key)
)";
}

/// `BITS(key)`: unsigned numbers in the order of the keys; and `LAST_KEY`, which has only ones there.
template <device_value Key>
[[nodiscard]] std::string bits_text(const radix_order& order) {
    if constexpr (floating_number<Key>) {
        return floating_bits_text<Key>(order);
    } else {
        const std::string invert = order.is_rising ? "" : "~";
        const std::string sign = "((bits_t)1 << " + std::to_string(sizeof(Key) * 8 - 1) + ")";
        const std::string flip = std::is_signed_v<Key> ? " ^ " + sign : "";
        return "typedef " + opencl_type<std::make_unsigned_t<Key>>() +
               " bits_t;\n#define BITS(key) ((bits_t)" + invert + "((bits_t)(key)" + flip +
               "))\n#define LAST_KEY ((key_t)((bits_t)" + (order.is_rising ? "~(bits_t)0" : "0") +
               flip + "))\n";
    }
}

/// The types of the arrays, and what the values add to the parameters and the body of `move_keys`.
template <device_value Key, device_value... Values>
[[nodiscard]] std::string types_text(const radix_order& order) {
    std::string parameters;
    std::string moves;
    int place = 0;
    [[maybe_unused]] const auto add = [&]<class Value>(std::type_identity<Value>) {
        const std::string from = "values" + std::to_string(place);
        const std::string to = "out_values" + std::to_string(place++);
        parameters += ", global const " + moved_type<Value>() + "* " + from + ", ulong at_" + from +
                      ", global " + moved_type<Value>() + "* " + to + ", ulong at_" + to;
        moves += to + "[at_" + to + " + (after)] = " + from + "[at_" + from + " + (before)];";
    };
    (add(std::type_identity<Values>{}), ...);
    return "typedef " + moved_type<Key>() + " key_t;\n" + bits_text<Key>(order) +
           "#define VALUE_PARAMETERS " + parameters + "\n#define MOVE_VALUES(before, after) " +
           moves + "\n#define HAS_VALUES " + std::to_string(sizeof...(Values)) + "\n";
}

/// For processors: a work item counts the digits of its part, and moves its keys one after the other.
/// `counts` has for each digit the parts' numbers, `starts` where they begin.
template <device_value Key, device_value... Values>
[[nodiscard]] std::string radix_text_alone(const radix_order& order) {
    return program_text({}, types_text<Key, Values...>(order) + R"(
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

}  // namespace pointsman::detail
