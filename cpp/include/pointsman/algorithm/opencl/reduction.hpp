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

#include "pointsman/algorithm/host/reduction.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

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

/// In `fold` each work item folds every so many-th value, several at a time, and a group its items' by halves
/// in local memory; only the last group may have fewer values than items. In `fold_part` each folds a
/// part, in as many lanes as a register may have. The host folds what comes out.
template <class T, device_function F, class G, class... Ins>
[[nodiscard]] std::string reduction_text() {
    const auto [parameters, values] = text_of_inputs<Ins...>();
    // Compilers find lanes for counts by themselves, better ones.
    const std::string wants_lanes = folded_value<G>::is_truth ? "0" : "end - begin >= LANES";
    return program_text({F::opencl_source(), folded_value<G>::source()},
                        "typedef " + opencl_type<T>() + " folded_t;\n#define F " +
                            std::string{F::opencl_name()} + "\n#define PARAMETERS " + parameters +
                            "ulong n\n#define VALUE ((folded_t)" + folded_value<G>::text(values) +
                            ")\n#define WANTS_LANES (" + wants_lanes + ")" + R"(
#define AT_A_TIME 4
#define LANES 16
kernel void fold(PARAMETERS, local folded_t* part, global folded_t* out) {
    const size_t me = get_local_id(0), items = get_local_size(0), step = get_global_size(0);
    size_t i = get_global_id(0);
    if (i < n) {
        folded_t folded = VALUE;
        if (i + AT_A_TIME * step < n) {
            folded_t sums[AT_A_TIME];
            sums[0] = folded;
            for (int k = 1; k < AT_A_TIME; ++k) {
                i += step;
                sums[k] = VALUE;
            }
            size_t next = i + step;
            for (; next + (AT_A_TIME - 1) * step < n; next += AT_A_TIME * step)
                for (int k = 0; k < AT_A_TIME; ++k) {
                    const size_t i = next + k * step;
                    sums[k] = F(sums[k], VALUE);
                }
            i = next - step;
            folded = F((folded_t)F(sums[0], sums[1]), (folded_t)F(sums[2], sums[3]));
        }
        for (i += step; i < n; i += step) folded = F(folded, VALUE);
        part[me] = folded;
    }
    const ulong first = get_group_id(0) * items;
    size_t filled = n - first < items ? (size_t)(n - first) : items;
    for (size_t width = items / 2; width != 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < width && me + width < filled) part[me] = F(part[me], part[me + width]);
        filled = filled < width ? filled : width;
    }
    if (me == 0) out[get_group_id(0)] = part[0];
}
kernel void fold_part(PARAMETERS, ulong part, global folded_t* out) {
)" + places_of_item + R"(
    ulong i = begin;
    folded_t folded = VALUE;
    if (WANTS_LANES) {
        folded_t sums[LANES];
        for (int k = 0; k < LANES; ++k) {
            const ulong i = begin + k;
            sums[k] = VALUE;
        }
        ulong block = begin + LANES;
        for (; block + LANES <= end; block += LANES)
            for (int k = 0; k < LANES; ++k) {
                const ulong i = block + k;
                sums[k] = F(sums[k], VALUE);
            }
        folded = sums[0];
        for (int k = 1; k < LANES; ++k) folded = F(folded, sums[k]);
        i = block - 1;
    }
    for (++i; i < end; ++i) folded = F(folded, VALUE);
    out[get_global_id(0)] = folded;
}
)");
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
        const bool alone = where.items_work_alone();
        const std::size_t group = group_size(where);
        const cl_ulong part = 16'384;  // which a lane folds in 1024 roundings
        const std::size_t folds = alone ? (count + part - 1) / part : sharing_groups(where, count);
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

}  // namespace pointsman::detail
