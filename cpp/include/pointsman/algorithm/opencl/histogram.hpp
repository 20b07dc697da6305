// SPDX-License-Identifier: Apache-2.0
// Counts values by bins on a device: work items count into rows of counters, which are then added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "pointsman/algorithm/detail/histogram_bins.hpp"
#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

template <device_value In, device_value Out, device_value Bound>
[[nodiscard]] std::string histogram_text(bool shares_rows) {
    constexpr bool is_floating = floating_number<Bound>;
    return program_text(
        {},
        definitions({{"in_t", opencl_type<In>()},
                     {"out_t", opencl_type<Out>()},
                     {"bound_t", opencl_type<Bound>()},
                     {"scale_t", is_floating ? opencl_type<Bound>() : std::string_view{"ulong"}},
                     {"IS_FLOATING", is_floating ? "1" : "0"},
                     {"COUNT(counter)", shares_rows ? "atomic_inc(counter)" : "++*(counter)"}}) +
            kernels::histogram);
}

/// Writes how many of the `count` values beginning at `first`, at least one, are in each of `bins` bins, at
/// least one, to the range beginning at `out`. `kernel` names the kernel for the kind of bins, whose bounds
/// are of type `Bound`; `bin_arguments` are its arguments that define the bins. Returns the end of the
/// output.
/// **Throws**: `build_error`, `cl::Error`.
template <device_value Bound, device_iterator In, device_iterator Out>
Out histogram_on_device(const opencl::queue& where, In first, std::size_t count, std::size_t bins,
                        Out out, const std::string& kernel,
                        std::initializer_list<opencl::kernel_argument> bin_arguments) {
    constexpr std::size_t most_counters = std::size_t{1} << 22;
    const std::tuple<computed_values<In>> from{
        computed_values<In>{where, first, count, computed_values<In>::use::input}};
    computed_values<Out> to{where, out, bins, computed_values<Out>::use::output};
    const item_parts parts = parts_of(where, count, 16);
    const std::size_t most_rows =
        where.items_work_alone() ? parts.count : std::min(parts.count, std::size_t{256});
    const cl_ulong rows = std::clamp(most_counters / bins, std::size_t{1}, most_rows);
    const std::string text =
        histogram_text<iterated_t<In>, iterated_t<Out>, Bound>(rows < parts.count);
    const opencl::pooled_buffer scratch = where.take_buffer(rows * bins * sizeof(cl_uint));
    const cl::Buffer& counts = scratch.handle();
    where.handle().enqueueFillBuffer(counts, cl_uint{0}, 0, rows * bins * sizeof(cl_uint));
    const cl_ulong n = count;
    const cl_ulong n_bins = bins;
    auto arguments = arguments_of(from, {n, parts.size, n_bins, rows, counts});
    arguments.insert(arguments.end(), bin_arguments);
    launch_items(where, text, kernel, parts.count, arguments);
    const std::size_t group = group_size(where);
    launch(where, text, "add_rows", (bins + group - 1) / group,
           {n_bins, rows, counts, to.memory(), to.offset()});
    to.fetch();
    return out + static_cast<std::ptrdiff_t>(bins);
}

}  // namespace pointsman::detail
