// SPDX-License-Identifier: Apache-2.0
// Searches for values in a sorted array on a device, one work item or more for each value.
#pragma once

#include <cstddef>
#include <string>

#include "pointsman/algorithm/detail/sorted_search.hpp"
#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/map.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Text that defines `name` as the first index in [0, `past`) at which the sorted array `in` of `T` does
/// not have a value before `value`, or has one after it for an `upper_bound`; `past` if there is none.
template <device_function Compare, device_value T>
[[nodiscard]] std::string bound_text(sorted_search which, const std::string& name,
                                     const std::string& in, const std::string& past,
                                     const std::string& value) {
    using function = called_t<Compare, T, T>;
    const std::string element = value_at<T>(in, "middle");
    const std::string is_passed = which == sorted_search::upper_bound
                                      ? "!(" + call_of<function>(value, element) + ")"
                                      : call_of<function>(element, value);
    return "    ulong " + name + " = 0;\n    for (ulong past = " + past + "; " + name +
           " < past;) {\n        const ulong middle = " + name + " + (past - " + name +
           ") / 2;\n        if (" + is_passed + ") {\n            " + name +
           " = middle + 1;\n        } else {\n            past = middle;\n        }\n    }\n";
}

/// The expression of the arrays `v0`, the values of type `T`, and `v1`, the sorted elements of type
/// `Element` whose number is the constant, that is the result of the search.
template <sorted_search Which, device_function Order, device_value T, device_value Element>
[[nodiscard]] engine::expression search_expression() {
    static_assert(alike<T, Element>, "tuples are sought among tuples of the same types");
    using function = called_t<Order, T, Element>;
    const std::string value = value_at<T>("v0", "i");
    engine::expression search{
        function::opencl_source(),
        {engine::element_of<T>(), engine::element_of<Element>()},
        bound_text<Order, Element>(Which, "position", "v1", "constant_value", value),
        "position",
        engine::element_of<cl_ulong>(),
        true};
    if (Which == sorted_search::binary_search) {
        search.statements +=
            "    int is_present = position < constant_value ? 1 : 0;\n"
            "    if (is_present) {\n        is_present = " +
            call_of<function>(value, value_at<Element>("v1", "position")) + " ? 0 : 1;\n    }\n";
        search.value = "is_present";
    }
    return search;
}

/// Writes the result of the search `Which` in the `size` elements beginning at `first`, sorted by `Order`,
/// for each of the `count` values beginning at `values` to the range beginning at `out`. Returns its end.
template <sorted_search Which, device_function Order, device_iterator It, device_iterator Values,
          device_iterator Out>
Out search_on_device(const opencl::queue& where, It first, std::size_t size, Values values,
                     std::size_t count, Out out) {
    if (count == 0) {
        return out;
    }
    if (size == 0) {
        fill_on_device(where, out, count, static_cast<iterated_t<Out>>(0));
        return out + static_cast<std::ptrdiff_t>(count);
    }
    return opencl::detail::translated([&] {
        const auto sought = input_values(where, values, count);
        const auto elements = input_values(where, first, size);
        device_values<Out> to{where, out, count, device_values<Out>::use::output};
        static const engine::elementwise kernel{
            search_expression<Which, Order, iterated_t<Values>, iterated_t<It>>(),
            engine::element_of<iterated_t<Out>>()};
        const engine::array arrays[] = {array_from(sought), array_from(elements)};
        const cl_ulong length = size;
        const opencl::kernel_argument constant{length};
        kernel.enqueue(where, arrays, array_from(to), count, {&constant, 1});
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

}  // namespace pointsman::detail
