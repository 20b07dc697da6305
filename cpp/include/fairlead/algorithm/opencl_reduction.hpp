// SPDX-License-Identifier: Apache-2.0
// Folds many values on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "fairlead/algorithm/host_reduction.hpp"
#include "fairlead/algorithm/opencl_launch.hpp"
#include "fairlead/algorithm/opencl_parts.hpp"

namespace fairlead::detail {

/// What a kernel folds: `G` of the values at place `i`.
template <class G>
struct folded_value {
    static constexpr bool is_truth = false;
    static std::string source() { return G::opencl_source(); }
    static std::string text(const std::string& values) {
        return std::string{G::opencl_name()} + "(" + values + ")";
    }
};
/// Whether the predicate holds at place `i`, as 0 or 1.
template <device_function Predicate>
struct truth_of {};
template <class Predicate>
struct folded_value<truth_of<Predicate>> {
    static constexpr bool is_truth = true;
    static std::string source() { return Predicate::opencl_source(); }
    static std::string text(const std::string& values) {
        return "(" + std::string{Predicate::opencl_name()} + "(" + values + ") ? 1 : 0)";
    }
};
/// `i` where the predicate holds, else the number of places.
template <device_function Predicate>
struct place_of {};
template <class Predicate>
struct folded_value<place_of<Predicate>> {
    static constexpr bool is_truth = false;
    static std::string source() { return Predicate::opencl_source(); }
    static std::string text(const std::string& values) {
        return "(" + std::string{Predicate::opencl_name()} + "(" + values + ") ? i : n)";
    }
};

/// `fold` has each work item fold every so many-th value, and a group its items' by halves in local memory;
/// only the last group may have fewer values than items. In `fold_part` each folds a part, in as many
/// lanes as a register may have. The host folds what comes out.
template <class T, device_function F, class G, class... Ins>
[[nodiscard]] std::string reduction_text() {
    const auto [parameters, values] = text_of_inputs<Ins...>();
    const std::string type = opencl_type<T>();
    const std::string f{F::opencl_name()};
    // Compilers find lanes for counts by themselves, better ones.
    const std::string wants_lanes = folded_value<G>::is_truth ? "0" : "end - begin >= LANES";
    const std::string value = "(" + type + ")" + folded_value<G>::text(values);
    return program_text({F::opencl_source(), folded_value<G>::source()},
                        "#define LANES 16\n"
                        "kernel void fold(" +
                            parameters + "ulong n, local " + type + "* part, global " + type +
                            "* out) {\n"
                            "    const size_t me = get_local_id(0);\n"
                            "    const size_t step = get_global_size(0);\n"
                            "    size_t i = get_global_id(0);\n"
                            "    size_t items = get_local_size(0);\n"
                            "    if (i < n) {\n"
                            "        " +
                            type + " folded = " + value +
                            ";\n"
                            "        for (i += step; i < n; i += step) folded = " +
                            f + "(folded, " + value +
                            ");\n"
                            "        part[me] = folded;\n"
                            "    }\n"
                            "    const ulong first = get_group_id(0) * items;\n"
                            "    size_t filled = n - first < items ? (size_t)(n - first) : items;\n"
                            "    for (size_t width = items / 2; width != 0; width /= 2) {\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "        if (me < width && me + width < filled) part[me] = " +
                            f +
                            "(part[me], part[me + width]);\n"
                            "        filled = filled < width ? filled : width;\n"
                            "    }\n"
                            "    if (me == 0) out[get_group_id(0)] = part[0];\n"
                            "}\n"
                            "kernel void fold_part(" +
                            parameters + "ulong n, ulong part, global " + type + "* out) {\n" +
                            places_of_item +
                            "    ulong i = begin;\n"
                            "    " +
                            type + " folded = " + value +
                            ";\n"
                            "    if (" +
                            wants_lanes +
                            ") {\n"
                            "        " +
                            type +
                            " sums[LANES];\n"
                            "        for (int k = 0; k < LANES; ++k) {\n"
                            "            const ulong i = begin + k;\n"
                            "            sums[k] = " +
                            value +
                            ";\n"
                            "        }\n"
                            "        ulong block = begin + LANES;\n"
                            "        for (; block + LANES <= end; block += LANES)\n"
                            "            for (int k = 0; k < LANES; ++k) {\n"
                            "                const ulong i = block + k;\n"
                            "                sums[k] = " +
                            f + "(sums[k], " + value +
                            ");\n"
                            "            }\n"
                            "        folded = sums[0];\n"
                            "        for (int k = 1; k < LANES; ++k) folded = " +
                            f +
                            "(folded, sums[k]);\n"
                            "        i = block - 1;\n"
                            "    }\n"
                            "    for (++i; i < end; ++i) folded = " +
                            f + "(folded, " + value +
                            ");\n"
                            "    out[get_global_id(0)] = folded;\n"
                            "}\n");
}

/// `F` of `G` of the values at each of `count` places, at least one.
template <class T, device_function F, class G, device_iterator... Ins>
T reduce_on_device(const opencl::queue& where, std::size_t count, Ins... inputs) {
    // A group counts fewer than 2^32 values, twice as many in a register as of 2^64.
    using partial = std::conditional_t<folded_value<G>::is_truth, std::uint32_t, T>;
    return opencl::detail::translated([&] {
        const std::tuple<device_values<Ins>...> from{
            device_values<Ins>{where, inputs, count, device_values<Ins>::use::input}...};
        static const std::string text = reduction_text<partial, F, G, iterated_t<Ins>...>();
        const bool alone = works_alone(where);
        const std::size_t group = group_size(where);
        const cl_ulong part = 16'384;  // which a lane folds in 1024 roundings
        const std::size_t folds = alone ? (count + part - 1) / part
                                        : std::min((count + group - 1) / group, 65'536 / group);
        std::vector<partial> parts(folds);
        const opencl::pooled_buffer scratch = where.take_buffer(folds * sizeof(partial));
        const cl::Buffer& out = scratch.handle();
        const cl_ulong n = count;
        if (alone) {
            launch_items(where, text, "fold_part", folds, arguments_of(from, {n, part, out}));
        } else {
            launch(where, text, "fold", folds,
                   arguments_of(from, {n, cl::Local(group * sizeof(partial)), out}));
        }
        where.handle().enqueueReadBuffer(out, CL_TRUE, 0, folds * sizeof(partial), parts.data());
        return fold_pairwise<T>(
            0, folds, [&](std::size_t i) { return static_cast<T>(parts[i]); }, F{});
    });
}

}  // namespace fairlead::detail
