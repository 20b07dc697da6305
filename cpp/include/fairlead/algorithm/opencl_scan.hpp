// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and those of other associative functions, on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "fairlead/algorithm/opencl_launch.hpp"
#include "fairlead/algorithm/opencl_parts.hpp"
#include "fairlead/algorithm/opencl_scan_alone.hpp"

namespace fairlead::detail {

/// Each group has a part of the array, tile by tile: of `group` x `items_each` values, which come into
/// local memory and leave it in the order of the work items, while each folds neighbours, so that nothing
/// depends on `F` being commutative. One pass folds the parts, the host scans what came out, and a second
/// pass scans each part from there: values are read twice and written once.
template <class T, device_function F, device_function G, class In>
[[nodiscard]] std::string scan_text() {
    const std::string type = opencl_type<T>();
    const std::string f{F::opencl_name()};
    const auto [parameters, values] = text_of_inputs<In>();
    const std::string tile =
        // Of the tile that begins at `base`: `count` values, `mine` of them this item's.
        "        const size_t count = min(last - base, (ulong)tile);\n"
        "        for (size_t k = me; k < count; k += items) {\n"
        "            const size_t i = base + k;\n"
        "            values[k] = (" +
        type + ")" + std::string{G::opencl_name()} + "(" + values +
        ");\n"
        "        }\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"
        "        const size_t begin = min(me * each, count), end = min(begin + each, count);\n"
        "        " +
        type +
        " folded = values[begin < count ? begin : 0];\n"
        "        for (size_t k = begin + 1; k < end; ++k) folded = " +
        f +
        "(folded, values[k]);\n"
        "        sums[me] = folded;\n"
        "        const size_t filled = (count + each - 1) / each;\n"
        // Inclusive scan of the items' sums, of which the first `filled` count.
        "        for (size_t width = 1; width < items; width *= 2) {\n"
        "            barrier(CLK_LOCAL_MEM_FENCE);\n"
        "            " +
        type +
        " sum = sums[me];\n"
        "            if (me >= width && me < filled) sum = " +
        f +
        "(sums[me - width], sum);\n"
        "            barrier(CLK_LOCAL_MEM_FENCE);\n"
        "            sums[me] = sum;\n"
        "        }\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n";
    const std::string part =
        "    const size_t me = get_local_id(0), items = get_local_size(0);\n"
        "    const size_t tile = items * each;\n"
        "    const ulong first = get_group_id(0) * part, last = min(first + part, n);\n"
        "    " +
        type + " carry = 0;\n";
    return program_text({F::opencl_source(), G::opencl_source()},
                        "kernel void fold_parts(" + parameters +
                            "ulong n, ulong part, ulong each, local " + type + "* values, local " +
                            type + "* sums, global " + type + "* folds) {\n" + part +
                            "    for (ulong base = first; base < last; base += tile) {\n" + tile +
                            "        carry = base == first ? sums[filled - 1] : " + f +
                            "(carry, sums[filled - 1]);\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    }\n"
                            "    if (me == 0) folds[get_group_id(0)] = carry;\n"
                            "}\n"
                            "kernel void scan_parts(" +
                            parameters + "ulong n, ulong part, ulong each, local " + type +
                            "* values, local " + type + "* sums, global const " + type +
                            "* carries, int has_carry, "
                            "int is_exclusive, " +
                            "global " + type + "* out, ulong at_out) {\n" + part +
                            "    int carried = has_carry || get_group_id(0) != 0;\n"
                            "    if (carried) carry = carries[get_group_id(0)];\n"
                            "    for (ulong base = first; base < last; base += tile) {\n" +
                            tile + "        " + type +
                            " before = carry;\n"
                            "        if (me != 0 && me < filled)\n"
                            "            before = carried ? " +
                            f +
                            "(carry, sums[me - 1]) : sums[me - 1];\n"
                            "        int begun = carried || me != 0;\n"
                            "        for (size_t k = begin; k < end; ++k) {\n"
                            "            const " +
                            type + " now = begun ? " + f +
                            "(before, values[k]) : values[k];\n"
                            "            values[k] = is_exclusive ? before : now;\n"
                            "            before = now;\n"
                            "            begun = 1;\n"
                            "        }\n"
                            "        carry = carried ? " +
                            f +
                            "(carry, sums[filled - 1]) : sums[filled - 1];\n"
                            "        carried = 1;\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "        for (size_t k = me; k < count; k += items) out[at_out + base "
                            "+ k] = values[k];\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    }\n"
                            "}\n");
}

/// Scans `G` of `count` values from `first` on, at least one, to the places from `out` on, after `initial`
/// where there is one; there is for an exclusive scan. Returns the place past the last.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
    requires std::same_as<iterated_t<Out>, T>
Out scan_on_device(const opencl::queue& where, In first, std::size_t count, Out out,
                   std::optional<T> initial, scan_kind kind) {
    return opencl::detail::translated([&] {
        const std::tuple<device_values<In>> from{
            device_values<In>{where, first, count, device_values<In>::use::input}};
        device_values<Out> to{where, out, count, device_values<Out>::use::output};
        if (works_alone(where)) {
            scan_alone<T, F, G>(where, from, count, to, initial, kind);
            to.fetch();
            return out + static_cast<std::ptrdiff_t>(count);
        }
        static const std::string text = scan_text<T, F, G, iterated_t<In>>();
        const std::size_t group = group_size(where);
        const cl_ulong each = 8;
        const std::size_t tile = group * each;
        const item_parts parts = parts_of_tiles(where, count, tile);
        const std::size_t groups = parts.count;
        const cl_ulong n = count;
        const cl::LocalSpaceArg values = cl::Local(tile * sizeof(T));
        const cl::LocalSpaceArg sums = cl::Local(group * sizeof(T));
        std::vector<T> carries(groups, initial.value_or(T{}));
        const opencl::pooled_buffer scratch = where.take_buffer(groups * sizeof(T));
        const cl::Buffer& folds = scratch.handle();
        if (groups > 1) {
            launch(where, text, "fold_parts", groups,
                   arguments_of(from, {n, parts.size, each, values, sums, folds}));
            std::vector<T> folded(groups);
            where.handle().enqueueReadBuffer(folds, CL_TRUE, 0, groups * sizeof(T), folded.data());
            for (std::size_t i = 1; i < groups; ++i) {
                carries[i] = i == 1 && !initial ? folded[0] : F{}(carries[i - 1], folded[i - 1]);
            }
        }
        where.handle().enqueueWriteBuffer(folds, CL_TRUE, 0, groups * sizeof(T), carries.data());
        const cl_int has_carry = initial ? 1 : 0;
        const cl_int is_exclusive = kind == scan_kind::exclusive ? 1 : 0;
        launch(where, text, "scan_parts", groups,
               arguments_of(from, {n, parts.size, each, values, sums, folds, has_carry,
                                   is_exclusive, to.memory(), to.offset()}));
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

}  // namespace fairlead::detail
