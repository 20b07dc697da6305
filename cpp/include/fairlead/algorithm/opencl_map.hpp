// SPDX-License-Identifier: Apache-2.0
// Writes a function of the values at each place, on a device.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "fairlead/algorithm/opencl_launch.hpp"
#include "fairlead/algorithm/opencl_parts.hpp"

namespace fairlead::detail {

/// `apply` has a work item for each place, `apply_to_part` one for each part.
template <device_function F, class Out, class... Ins>
[[nodiscard]] std::string map_text() {
    const auto [parameters, values] = text_of_inputs<Ins...>();
    const std::string all = parameters + array_parameter<Out>("", "out") + "ulong n";
    const std::string write =
        "out[at_out + i] = " + std::string{F::opencl_name()} + "(" + values + ");\n}\n";
    return program_text({F::opencl_source()},
                        "kernel void apply(" + all +
                            ") {\n"
                            "    const size_t i = get_global_id(0);\n"
                            "    if (i < n) " +
                            write + "kernel void apply_to_part(" + all + ", ulong part) {\n" +
                            places_of_item + "    for (ulong i = begin; i < end; ++i) " + write);
}

/// `F` of the values at each place of `inputs`, for `count` places, is written from `out` on. Returns the
/// place past the last.
template <device_function F, device_iterator Out, device_iterator... Ins>
Out map_on_device(const opencl::queue& where, std::size_t count, Out out, Ins... inputs) {
    using use = typename device_values<Out>::use;
    return opencl::detail::translated([&] {
        const std::tuple<device_values<Ins>...> from{
            device_values<Ins>{where, inputs, count, device_values<Ins>::use::input}...};
        device_values<Out> to{where, out, count, use::output};
        static const std::string text = map_text<F, iterated_t<Out>, iterated_t<Ins>...>();
        const cl_ulong n = count;
        const item_parts parts = parts_of(where, count, 1);
        if (works_alone(where)) {
            launch_items(where, text, "apply_to_part", parts.count,
                         arguments_of(from, {to.memory(), to.offset(), n, parts.size}));
        } else {
            launch_items(where, text, "apply", count,
                         arguments_of(from, {to.memory(), to.offset(), n}));
        }
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

}  // namespace fairlead::detail
