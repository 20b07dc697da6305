// SPDX-License-Identifier: Apache-2.0
// Writes a computed or constant value for each index on a device: a typed interface to engine::elementwise.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/fused_values.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// The inputs of a kernel whose output may be the same memory: each value must be read from where it is written.
template <class It>
using mapped_values = std::conditional_t<reads_elsewhere<It>, stored_values<It>, fused_values<It>>;

/// Writes `F` of the values of `inputs` at each of `count` indices to the range beginning at `out`. Returns
/// the end of the output.
template <device_function F, device_iterator Out, device_iterator... Ins>
Out map_on_device(const opencl::queue& where, std::size_t count, Out out, Ins... inputs) {
    return opencl::detail::translated([&] {
        const std::tuple<mapped_values<Ins>...> from{mapped_values<Ins>{where, inputs, count}...};
        device_values<Out> to{where, out, count, device_values<Out>::use::output};
        static const engine::elementwise kernel{
            fused<mapped_values<Ins>...>(expression_as<iterated_t<Out>, F, iterated_t<Ins>...>()),
            engine::element_of<iterated_t<Out>>()};
        kernel.enqueue(where, arrays_of(from), {to.memory(), to.offset()}, count);
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

/// Like `map_on_device`, with the expression that `make` returns; `constant` is the value of its
/// `constant_value`, if it has one. Each type `Make` stands for one expression. If the expression takes arrays, `Read`
/// must be `stored_values`.
template <template <class> class Read = mapped_values, device_iterator Out, device_iterator In,
          class Make>
Out map_by_expression(const opencl::queue& where, std::size_t count, Out out, In first,
                      const Make& make, std::span<const opencl::kernel_argument> constant = {}) {
    return opencl::detail::translated([&] {
        const std::tuple<Read<In>> from{Read<In>{where, first, count}};
        device_values<Out> to{where, out, count, device_values<Out>::use::output};
        static const engine::elementwise kernel{fused<Read<In>>(make()),
                                                engine::element_of<iterated_t<Out>>()};
        kernel.enqueue(where, arrays_of(from), {to.memory(), to.offset()}, count, constant);
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

/// The text that defines `result`, of the type in which kernels compute with an `Out`: `chosen` if `condition`
/// is true, otherwise `other`.
template <device_value Out>
[[nodiscard]] std::string chosen_text(const std::string& condition, const std::string& chosen,
                                      const std::string& other) {
    return "    " + std::string{opencl_type<Out>()} + " result;\n    if (" + condition +
           ") {\n        result = " + chosen + ";\n    } else {\n        result = " + other +
           ";\n    }\n";
}

/// A function that returns a value after `F` has modified it through its address.
template <device_function F, device_value T>
struct changed_by;
template <device_function F, device_number T>
struct changed_by<F, T> {
    static std::string opencl_name() { return "changed_by_" + std::string{F::opencl_name()}; }
    static std::string opencl_source() {
        const std::string type{opencl_type<T>()};
        return std::string{F::opencl_source()} + type + " " + opencl_name() + "(" + type +
               " value) { " + std::string{F::opencl_name()} + "(&value); return value; }\n";
    }
};

template <device_function F, device_row T>
struct changed_by<F, T> {
    static std::string opencl_name() { return "changed_by_" + std::string{F::opencl_name()}; }
    static std::string opencl_source() {
        using changed = changed_struct_t<F>;
        const std::string type{opencl_type<T>()};
        const std::string call = "    " + name_of<F>() + "(&changed);\n";
        return std::string{F::opencl_source()} + type + " " + opencl_name() + "(const " + type +
               " value) {\n" + struct_text<changed>("changed", "value") + call +
               result_text<changed>("changed") + "    return " +
               as_text<changed, T>("result.values") + ";\n}\n";
    }
};

template <class F, class T>
inline constexpr bool takes_tuples<changed_by<F, T>> = true;

/// Modifies the `count` values beginning at `first`, at least one, with `F`, which takes their addresses.
template <device_function F, device_iterator It>
void change_on_device(const opencl::queue& where, It first, std::size_t count) {
    using value = iterated_t<It>;
    opencl::detail::translated([&] {
        device_values<It> values{where, first, count, device_values<It>::use::input};
        static const engine::elementwise kernel{expression_of<changed_by<F, value>, value>(),
                                                engine::element_of<value>()};
        const engine::array changed{values.memory(), values.offset()};
        kernel.enqueue(where, {&changed, 1}, changed, count);
        values.fetch();
    });
}

/// Writes `value` to the `count` elements beginning at `first`.
template <device_iterator It>
void fill_on_device(const opencl::queue& where, It first, std::size_t count,
                    const iterated_t<It>& value) {
    opencl::detail::translated([&] {
        device_values<It> to{where, first, count, device_values<It>::use::output};
        const engine::element type = engine::element_of<iterated_t<It>>();
        static const engine::elementwise kernel{{"", {}, "", "constant_value", type}, type};
        const opencl::kernel_argument constant{value};
        kernel.enqueue(where, {}, {to.memory(), to.offset()}, count, {&constant, 1});
        to.fetch();
    });
}

}  // namespace pointsman::detail
