// SPDX-License-Identifier: Apache-2.0
// The kernels of a radix sort.
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
/// greatest of all.
template <device_value Key>
[[nodiscard]] std::string bits_text(bool is_rising) {
    const std::string invert = is_rising ? "" : "~";
    const std::string sign = "((bits_t)1 << " + std::to_string(sizeof(Key) * 8 - 1) + ")";
    if constexpr (std::floating_point<Key>) {
        const std::string bits = sizeof(Key) == 4 ? "uint" : "ulong";
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
               invert + "ordered(key))\n";
    } else {
        return "typedef " + opencl_type<std::make_unsigned_t<Key>>() +
               " bits_t;\n#define BITS(key) ((bits_t)" + invert + "((bits_t)(key)" +
               (std::is_signed_v<Key> ? " ^ " + sign : "") + "))\n";
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
           moves + "\n";
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

/// For other devices: a group counts the digits of its part, and sorts it by them tile by tile in local
/// memory, so that neighbours write to neighbours. A work item has `each` keys of a tile, an odd number so
/// that items keep out of one another's banks, and at most 15: it counts them in four bits for each digit.
/// NVIDIA's compiler makes faster code of the loops whose counter is a `size_t`.
template <device_value Key, device_value... Values>
[[nodiscard]] std::string radix_text_in_groups(bool is_rising, std::size_t each,
                                               std::size_t items) {
    return program_text({}, types_text<Key, Values...>(is_rising) + "#define EACH " +
                                std::to_string(each) + "\n#define ITEMS " + std::to_string(items) +
                                R"(
#define DIGIT(key) ((uint)(BITS(key) >> shift) & 15)
kernel void count_digits(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                         ulong parts, global ulong* counts, local uint* count) {
    const uint me = get_local_id(0);
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    for (int digit = 0; digit < 16; ++digit) count[digit * ITEMS + me] = 0;
    for (ulong i = first + me; i < last; i += ITEMS) ++count[DIGIT(keys[at_keys + i]) * ITEMS + me];
    for (size_t width = ITEMS / 2; width != 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int digit = 0; digit < 16; ++digit)
            if (me < width) count[digit * ITEMS + me] += count[digit * ITEMS + me + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t digit = me; digit < 16; digit += ITEMS)
        counts[digit * parts + get_group_id(0)] = count[digit * ITEMS];
}
kernel void move_keys(global const key_t* keys, ulong at_keys, ulong n, ulong part, uint shift,
                      ulong parts, global const ulong* starts, local key_t* tile,
                      local ushort16* counters, local uint* sums, global key_t* out, ulong at_out
                      VALUE_PARAMETERS) {
    const uint me = get_local_id(0);
    local ushort* ranks = (local ushort*)counters;  // read as vectors, 16 at a time
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    local ulong next[16];
    local ushort start[17];
    out += at_out;
    for (size_t digit = me; digit < 16; digit += ITEMS)
        next[digit] = starts[digit * parts + get_group_id(0)];
    for (ulong base = first; base < last; base += ITEMS * EACH) {
        const uint count = min(last - base, (ulong)(ITEMS * EACH));
        const uint begin = min(me * EACH, count), mine = min(begin + EACH, count) - begin;
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            if (k * ITEMS + me < count) tile[k * ITEMS + me] = keys[at_keys + base + k * ITEMS + me];
        barrier(CLK_LOCAL_MEM_FENCE);
        // Each item ranks its own neighbours among one another ...
        key_t key[EACH];
        uint rank[EACH];
        ulong seen = 0;
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            if (k < mine) {
                key[k] = tile[begin + k];
                const uint at = 4 * DIGIT(key[k]);
                rank[k] = (seen >> at) & 15;
                seen += (ulong)1 << at;
            }
        #pragma unroll
        for (uint digit = 0; digit < 16; ++digit)
            ranks[digit * ITEMS + me] = (seen >> (4 * digit)) & 15;
        barrier(CLK_LOCAL_MEM_FENCE);
        // ... and all count the keys of lower digits, and of the same one in items before.
        uint sum = 0;
        for (int k = 0; k < 16; ++k) sum += ranks[me * 16 + k];
        sums[me] = sum;
        for (size_t width = 1; width < ITEMS; width *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const uint before = me >= width ? sums[me - width] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sums[me] += before;
        }
        uint before = sums[me] - sum;
        for (int k = 0; k < 16; ++k) {
            const ushort own = ranks[me * 16 + k];
            ranks[me * 16 + k] = before;
            before += own;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t digit = me; digit <= 16; digit += ITEMS)
            start[digit] = digit == 16 ? count : ranks[digit * ITEMS];
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            if (k < mine) {
                const uint digit = DIGIT(key[k]);
                const uint place = ranks[digit * ITEMS + me] + rank[k];
                tile[place] = key[k];
                MOVE_VALUES(base + begin + k, next[digit] + place - start[digit]);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (uint k = 0; k < EACH; ++k) {
            const uint place = k * ITEMS + me;
            if (place < count) {
                const key_t moved = tile[place];
                const uint digit = DIGIT(moved);
                out[next[digit] + place - start[digit]] = moved;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t digit = me; digit < 16; digit += ITEMS)
            next[digit] += start[digit + 1] - start[digit];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
)");
}

}  // namespace fairlead::detail
