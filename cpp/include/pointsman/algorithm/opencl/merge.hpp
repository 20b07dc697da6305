// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays on a device.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// Each work item writes a part of the merged array: it looks up by halving how many of the values before
/// its part come from the first array, and merges from there.
template <device_function Compare, device_value A, device_value B, device_value Out>
[[nodiscard]] std::string merge_text() {
    return program_text({Compare::opencl_source()},
                        "typedef " + opencl_type<A>() + " a_t;\ntypedef " + opencl_type<B>() +
                            " b_t;\ntypedef " + opencl_type<Out>() +
                            " out_t;\n#define GOES_FIRST " + std::string{Compare::opencl_name()} +
                            R"(
kernel void merge_part(global const a_t* a, ulong at_a, global const b_t* b, ulong at_b, ulong size_a,
                       ulong size_b, ulong n, ulong part, global out_t* out, ulong at_out) {
)" + places_of_item + R"(
    a += at_a;
    b += at_b;
    ulong i = begin > size_b ? begin - size_b : 0;
    ulong past = min(begin, size_a);
    while (i < past) {
        const ulong middle = i + (past - i) / 2;
        if (GOES_FIRST(b[begin - 1 - middle], a[middle])) past = middle;
        else i = middle + 1;
    }
    ulong j = begin - i, place = at_out + begin;
    const ulong past_last = at_out + end;
    for (; place < past_last && i < size_a && j < size_b; ++place) {
        const a_t x = a[i];
        const b_t y = b[j];
        const int takes_b = GOES_FIRST(y, x) ? 1 : 0;
        const out_t both[2] = {x, y};  // compiles to no branch, which no processor could foresee
        out[place] = both[takes_b];
        i += 1 - takes_b;
        j += takes_b;
    }
    for (; place < past_last && i < size_a; ++place) out[place] = a[i++];
    for (; place < past_last; ++place) out[place] = b[j++];
}
)");
}

/// Merges `size_a` and `size_b` values, at least one each, to the places from `out` on. Returns the place
/// past the last.
template <device_function Compare, device_iterator A, device_iterator B, device_iterator Out>
Out merge_on_device(const opencl::queue& where, A a, std::size_t size_a, B b, std::size_t size_b,
                    Out out) {
    return opencl::detail::translated([&] {
        const std::tuple<device_values<A>, device_values<B>> from{
            device_values<A>{where, a, size_a, device_values<A>::use::input},
            device_values<B>{where, b, size_b, device_values<B>::use::input}};
        const std::size_t count = size_a + size_b;
        device_values<Out> to{where, out, count, device_values<Out>::use::output};
        static const std::string text =
            merge_text<Compare, iterated_t<A>, iterated_t<B>, iterated_t<Out>>();
        const cl_ulong n_a = size_a;
        const cl_ulong n_b = size_b;
        const cl_ulong n = count;
        const item_parts parts = parts_of(where, count, 16);
        launch_items(where, text, "merge_part", parts.count,
                     arguments_of(from, {n_a, n_b, n, parts.size, to.memory(), to.offset()}));
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

}  // namespace pointsman::detail
