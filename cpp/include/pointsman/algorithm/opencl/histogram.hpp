// SPDX-License-Identifier: Apache-2.0
// Counts values by bins on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "pointsman/algorithm/detail/histogram_bins.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// The bins of a kernel: `BIN_PARAMETERS` declares what describes them, `FIND_BIN(value)` sets `bin` to that
/// of the value, or to `bins`.
template <device_value T>
[[nodiscard]] std::string even_bins_text() {
    const std::string type = opencl_type<T>();
    const bool is_floating = floating_number<T>;
    return "#define BIN_PARAMETERS const " + type + " low, const " + type + " high, const " +
           (is_floating ? type : "ulong") +
           " scale\n"
           "#define FIND_BIN(value) ulong bin = bins; { const " +
           type + " v = value; if (v >= low && v < high) bin = " +
           (is_floating ? "min((ulong)((v - low) * scale), bins - 1)"
                        : "((ulong)v - (ulong)low) * bins / scale") +
           "; }\n";
}
template <device_value Edge>
[[nodiscard]] std::string edged_bins_text() {
    return "#define BIN_PARAMETERS global const " + opencl_type<Edge>() +
           "* edges, const ulong at_edges\n"
           "#define FIND_BIN(value) ulong bin = 0; { \\\n"
           "    ulong past = bins + 1; \\\n"
           "    while (bin < past) { \\\n"
           "        const ulong middle = bin + (past - bin) / 2; \\\n"
           "        if ((value) < edges[at_edges + middle]) past = middle; \\\n"
           "        else bin = middle + 1; \\\n"
           "    } \\\n"
           "    bin = bin == 0 || bin > bins ? bins : bin - 1; \\\n"
           "}\n";
}

/// Each work item adds to one of `rows` rows of counters, of its own where there is one for each part.
template <device_value In, device_value Out>
[[nodiscard]] std::string histogram_text(const std::string& bins, bool shares_rows) {
    return program_text({}, "typedef " + opencl_type<In>() + " in_t;\ntypedef " +
                                opencl_type<Out>() + " out_t;\n" + bins +
                                "#define COUNT(counter) " +
                                (shares_rows ? "atomic_inc(counter)" : "++*(counter)") + R"(
kernel void count_bins(global const in_t* x, ulong at_x, ulong n, ulong part, ulong bins, ulong rows,
                       global uint* counts, BIN_PARAMETERS) {
)" + places_of_item + R"(
    global uint* row = counts + get_global_id(0) % rows * bins;
    for (ulong i = begin; i < end; ++i) {
        const in_t value = x[at_x + i];
        FIND_BIN(value)
        if (bin < bins) COUNT(row + bin);
    }
}
kernel void add_rows(ulong bins, ulong rows, global const uint* counts, global out_t* out,
                     ulong at_out) {
    const ulong bin = get_global_id(0);
    if (bin >= bins) return;
    ulong sum = 0;
    for (ulong row = 0; row < rows; ++row) sum += counts[row * bins + bin];
    out[at_out + bin] = (out_t)sum;
}
)");
}

/// Writes how many of `count` values, at least one, from `first` on are in each of `bins` bins, at least one,
/// to the places from `out` on. `bin_text` and `bin_arguments` say which bins those are.
/// **Throws**: `build_error`, `cl::Error`.
template <device_iterator In, device_iterator Out>
Out histogram_on_device(const opencl::queue& where, In first, std::size_t count, std::size_t bins,
                        Out out, const std::string& bin_text,
                        std::initializer_list<opencl::kernel_argument> bin_arguments) {
    constexpr std::size_t most_counters = std::size_t{1} << 22;
    const std::tuple<device_values<In>> from{
        device_values<In>{where, first, count, device_values<In>::use::input}};
    device_values<Out> to{where, out, bins, device_values<Out>::use::output};
    const item_parts parts = parts_of(where, count, 16);
    const std::size_t most_rows =
        where.items_work_alone() ? parts.count : std::min(parts.count, std::size_t{256});
    const cl_ulong rows = std::clamp(most_counters / bins, std::size_t{1}, most_rows);
    const std::string text =
        histogram_text<iterated_t<In>, iterated_t<Out>>(bin_text, rows < parts.count);
    const opencl::pooled_buffer scratch = where.take_buffer(rows * bins * sizeof(cl_uint));
    const cl::Buffer& counts = scratch.handle();
    where.handle().enqueueFillBuffer(counts, cl_uint{0}, 0, rows * bins * sizeof(cl_uint));
    const cl_ulong n = count;
    const cl_ulong n_bins = bins;
    auto arguments = arguments_of(from, {n, parts.size, n_bins, rows, counts});
    arguments.insert(arguments.end(), bin_arguments);
    launch_items(where, text, "count_bins", parts.count, arguments);
    const std::size_t group = group_size(where);
    launch(where, text, "add_rows", (bins + group - 1) / group,
           {n_bins, rows, counts, to.memory(), to.offset()});
    to.fetch();
    return out + static_cast<std::ptrdiff_t>(bins);
}

}  // namespace pointsman::detail
