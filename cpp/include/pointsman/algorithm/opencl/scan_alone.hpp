// SPDX-License-Identifier: Apache-2.0
// The kernels of a scan on processors, where each work item does its part alone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// A work item has a part in runs, which it folds or scans at the same time: each waits for its last sum
/// only, so that together they take as long as the processor has work. `fold_parts` folds each run,
/// `scan_parts` folds what comes before its part and scans from there.
template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_text_alone(scan_kind kind) {
    const auto [parameters, values] = text_of_inputs<In>();
    return program_text({F::opencl_source(), G::opencl_source()},
                        "typedef " + opencl_type<T>() + " sum_t;\ntypedef " + opencl_type<Out>() +
                            " out_t;\n#define VALUE ((sum_t)" + std::string{G::opencl_name()} +
                            "(" + values + "))\n#define F " + std::string{F::opencl_name()} +
                            "\n#define INPUT " + parameters + "\n#define IS_EXCLUSIVE " +
                            (kind == scan_kind::exclusive ? "1" : "0") +
                            R"(
#define RUNS 2
#define SPLIT_PART \
    const ulong run = (end - begin) / RUNS, past_runs = begin + run * RUNS;
kernel void fold_parts(INPUT ulong n, ulong part, global sum_t* folds) {
)" + places_of_item + R"(
    SPLIT_PART
    if (run == 0) return;
    sum_t sums[RUNS];
    for (int r = 0; r < RUNS; ++r) { const ulong i = begin + r * run; sums[r] = VALUE; }
    for (ulong k = 1; k < run; ++k)
        for (int r = 0; r < RUNS; ++r) {
            const ulong i = begin + r * run + k;
            sums[r] = F(sums[r], VALUE);
        }
    for (ulong i = past_runs; i < end; ++i) sums[RUNS - 1] = F(sums[RUNS - 1], VALUE);
    for (int r = 0; r < RUNS; ++r) folds[get_global_id(0) * RUNS + r] = sums[r];
}
kernel void scan_parts(INPUT ulong n, ulong part, global const sum_t* folds, sum_t initial,
                       int has_initial, global out_t* out, ulong at_out) {
)" + places_of_item + R"(
    SPLIT_PART
    const ulong first = get_global_id(0) * RUNS;
    sum_t carry = initial;
    int begun = has_initial;
    for (ulong before = 0; before < first; ++before) {
        carry = begun ? F(carry, folds[before]) : folds[before];
        begun = 1;
    }
    if (run != 0) {
        sum_t sums[RUNS];
        for (int r = 0; r < RUNS; ++r) {
            const ulong i = begin + r * run;
            const sum_t value = VALUE, fold = folds[first + r];
            sums[r] = begun ? F(carry, value) : value;
            out[at_out + i] = IS_EXCLUSIVE ? carry : sums[r];
            carry = begun ? F(carry, fold) : fold;
            begun = 1;
        }
        for (ulong k = 1; k < run; ++k) {
            sum_t before[RUNS];
            for (int r = 0; r < RUNS; ++r) {
                const ulong i = begin + r * run + k;
                before[r] = sums[r];
                sums[r] = F(before[r], VALUE);
            }
            for (int r = 0; r < RUNS; ++r)
                out[at_out + begin + r * run + k] = IS_EXCLUSIVE ? before[r] : sums[r];
        }
        carry = sums[RUNS - 1];
    }
    for (ulong i = past_runs; i < end; ++i) {
        const sum_t before = carry, value = VALUE;
        carry = begun ? F(before, value) : value;
        out[at_out + i] = IS_EXCLUSIVE ? before : carry;
        begun = 1;
    }
}
)");
}

/// Scans `G` of `count` values at `from`, at least one, to those at `to`: see `scan_on_device`.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void scan_alone(const opencl::queue& where, const std::tuple<device_values<In>>& from,
                std::size_t count, const device_values<Out>& to, const std::optional<T>& initial,
                scan_kind kind) {
    const std::string text = scan_text_alone<T, F, G, iterated_t<In>, iterated_t<Out>>(kind);
    const item_parts parts = parts_of(where, count, 1);
    constexpr std::size_t runs = 2;
    const opencl::pooled_buffer scratch = where.take_buffer(parts.count * runs * sizeof(T));
    const cl::Buffer& folds = scratch.handle();
    const cl_ulong n = count;
    launch_items(where, text, "fold_parts", parts.count,
                 arguments_of(from, {n, parts.size, folds}));
    const T begin = initial.value_or(T{});
    const cl_int has_initial = initial ? 1 : 0;
    launch_items(
        where, text, "scan_parts", parts.count,
        arguments_of(from, {n, parts.size, folds, begin, has_initial, to.memory(), to.offset()}));
}

}  // namespace pointsman::detail
