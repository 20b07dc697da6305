// SPDX-License-Identifier: Apache-2.0
// Writes a value to each place, on a device.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// The values of a work item of `apply`, which reads them all before it writes: a GPU's memory is slow to
/// answer one after the other.
inline constexpr std::size_t mapped_each = 4;

/// Writes `value`, an expression in `i` and `parameters`. In `apply` the work items of a group have every
/// so many-th place each, so that neighbours read from neighbours; in `apply_to_part` each has a part.
template <class Out>
[[nodiscard]] std::string map_text(std::initializer_list<std::string> functions,
                                   const std::string& parameters, const std::string& value) {
    return program_text(functions, "typedef " + opencl_type<Out>() + " out_t;\n#define EACH " +
                                       std::to_string(mapped_each) + "\n#define PARAMETERS " +
                                       parameters + array_parameter<Out>("", "out") +
                                       "ulong n\n#define VALUE (" + value + ")" + R"(
kernel void apply(PARAMETERS) {
    const size_t step = get_local_size(0);
    const size_t first = get_group_id(0) * step * EACH + get_local_id(0);
    if (first + (EACH - 1) * step < n) {
        out_t values[EACH];
        for (int k = 0; k < EACH; ++k) { const size_t i = first + k * step; values[k] = VALUE; }
        for (int k = 0; k < EACH; ++k) out[at_out + first + k * step] = values[k];
    } else {
        for (size_t i = first; i < n; i += step) out[at_out + i] = VALUE;
    }
}
kernel void apply_to_part(PARAMETERS, ulong part) {
)" + places_of_item + R"(
    for (ulong i = begin; i < end; ++i) out[at_out + i] = VALUE;
}
)");
}

/// Starts what `map_text` has for `count` places; `arguments` are those for `parameters`, and the array that
/// is written to. Refers to `n` until it is over.
inline void launch_map(const opencl::queue& where, const std::string& text, const cl_ulong& n,
                       std::vector<opencl::kernel_argument> arguments) {
    arguments.emplace_back(n);
    if (where.items_work_alone()) {
        const item_parts parts = parts_of(where, n, 1);
        arguments.emplace_back(parts.size);
        launch_items(where, text, "apply_to_part", parts.count, arguments);
    } else {
        const std::size_t of_a_group = group_size(where) * mapped_each;
        launch(where, text, "apply", (n + of_a_group - 1) / of_a_group, arguments);
    }
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
        static const std::string text = [] {
            const auto [parameters, values] = text_of_inputs<iterated_t<Ins>...>();
            return map_text<iterated_t<Out>>({F::opencl_source()}, parameters,
                                             std::string{F::opencl_name()} + "(" + values + ")");
        }();
        launch_map(where, text, count, arguments_of(from, {to.memory(), to.offset()}));
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

/// The value that `F` makes of one whose address it takes.
template <device_function F, device_value T>
struct changed_by {
    static std::string opencl_name() { return "changed_by_" + std::string{F::opencl_name()}; }
    static std::string opencl_source() {
        const std::string type = opencl_type<T>();
        return std::string{F::opencl_source()} + type + " " + opencl_name() + "(" + type +
               " value) { " + std::string{F::opencl_name()} + "(&value); return value; }\n";
    }
};

/// `F` changes the values at `count` places, at least one, from `first` on.
template <device_function F, device_iterator It>
void change_on_device(const opencl::queue& where, It first, std::size_t count) {
    using value = iterated_t<It>;
    opencl::detail::translated([&] {
        device_values<It> values{where, first, count, device_values<It>::use::input};
        static const std::string text =
            map_text<value>({changed_by<F, value>::opencl_source()}, "",
                            changed_by<F, value>::opencl_name() + "(out[at_out + i])");
        launch_map(where, text, count, {values.memory(), values.offset()});
        values.fetch();
    });
}

/// `value` is written to `count` places from `first` on.
template <device_iterator It>
void fill_on_device(const opencl::queue& where, It first, std::size_t count,
                    const iterated_t<It>& value) {
    opencl::detail::translated([&] {
        device_values<It> to{where, first, count, device_values<It>::use::output};
        static const std::string text =
            map_text<iterated_t<It>>({}, opencl_type<iterated_t<It>>() + " value, ", "value");
        launch_map(where, text, count, {value, to.memory(), to.offset()});
        to.fetch();
    });
}

}  // namespace pointsman::detail
