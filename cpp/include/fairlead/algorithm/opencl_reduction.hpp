// SPDX-License-Identifier: Apache-2.0
// Folds many values on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "fairlead/algorithm/host_reduction.hpp"
#include "fairlead/algorithm/opencl_launch.hpp"

namespace fairlead::detail {

/// What a kernel folds: `G` of the values at place `i`.
template <class G>
struct folded_value {
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
    static std::string source() { return Predicate::opencl_source(); }
    static std::string text(const std::string& values) {
        return "(" + std::string{Predicate::opencl_name()} + "(" + values + ") ? i : n)";
    }
};

/// Each work item folds every so many-th value, a group its items' by halves in local memory; the host
/// folds what the groups have. Only the last group may have fewer values than items.
template <class T, device_function F, class G, class... Ins>
[[nodiscard]] std::string reduction_text() {
    const auto [parameters, values] = text_of_inputs<Ins...>();
    const std::string type = opencl_type<T>();
    const std::string f{F::opencl_name()};
    const std::string value = "(" + type + ")" + folded_value<G>::text(values);
    return program_text({F::opencl_source(), folded_value<G>::source()},
                        "kernel void fold(" + parameters + "ulong n, local " + type +
                            "* part, global " + type +
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
                            "}\n");
}

/// `F` of `G` of the values at each of `count` places, at least one.
template <class T, device_function F, class G, device_iterator... Ins>
T reduce_on_device(const opencl::queue& where, std::size_t count, Ins... inputs) {
    return opencl::detail::translated([&] {
        const std::tuple<device_values<Ins>...> from{
            device_values<Ins>{where, inputs, count, device_values<Ins>::use::input}...};
        static const std::string text = reduction_text<T, F, G, iterated_t<Ins>...>();
        const std::size_t group = group_size(where);
        const std::size_t groups = std::min((count + group - 1) / group, 65'536 / group);
        std::vector<T> parts(groups);
        const cl::Buffer out{where.context(), CL_MEM_WRITE_ONLY, groups * sizeof(T)};
        const cl_ulong n = count;
        launch(where, text, "fold", groups,
               arguments_of(from, {n, cl::Local(group * sizeof(T)), out}));
        where.handle().enqueueReadBuffer(out, CL_TRUE, 0, groups * sizeof(T), parts.data());
        return fold_pairwise<T>(0, groups, [&](std::size_t i) { return parts[i]; }, F{});
    });
}

}  // namespace fairlead::detail
