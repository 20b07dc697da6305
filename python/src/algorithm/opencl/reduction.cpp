// SPDX-License-Identifier: Apache-2.0
// Registers fold, count_if and find_if, for values that an expression computes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "algorithm/opencl/engine_values.hpp"
#include "algorithm/opencl/numpy_order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using binding::engine::element;
using opencl::queue;

struct fold_call {
    const queue& where;
    binding::engine::expression computed;
    const buffer_list& arrays;

    /// Folds numbers of `type` with `F`; the host folds the device's partial results as `T`s.
    template <class T, class F>
    [[nodiscard]] T by(const std::string& type) const {
        const std::size_t count = count_of(arrays[0]);
        return on_engine([&] {
            const binding::engine::reduction kernel{
                computed,
                {F::opencl_source(), std::string{F::opencl_name()}, type,
                 std::string{binding::opencl_type<T>()}}};
            return kernel.fold<T>(where, arrays_of(arrays), count, F{});
        });
    }

    /// Folds with `operation`, which is "+", "*", "min" or "max".
    template <class T>
    [[nodiscard]] T named(const std::string& operation, const std::string& type) const {
        return operation == "+"     ? by<T, plus>(type)
               : operation == "*"   ? by<T, multiplies>(type)
               : operation == "min" ? by<T, numpy_minimum>(type)
                                    : by<T, numpy_maximum>(type);
    }
};

py::object fold(const queue& where, const expression_parts& parts, const buffer_list& arrays,
                const std::string& operation, const py::object& dtype) {
    const fold_call call{where, expression_of(where, parts, arrays), arrays};
    const element type = element_of_dtype(dtype);
    if (type.computed == "float") {
        return py::cast(call.named<float>(operation, type.computed));
    }
    if (type.computed == "double") {
        return py::cast(call.named<double>(operation, type.computed));
    }
    if (type.computed[0] == 'u') {
        const bool wraps = operation == "+" || operation == "*";
        return py::cast(call.named<std::uint64_t>(operation, wraps ? "ulong" : type.computed));
    }
    if (operation == "+" || operation == "*") {  // folded as unsigned integers, which wrap around
        return py::cast(static_cast<std::int64_t>(call.named<std::uint64_t>(operation, "ulong")));
    }
    return py::cast(call.named<std::int64_t>(operation, type.computed));
}

std::size_t count_if(const queue& where, const expression_parts& predicate,
                     const buffer_list& arrays) {
    const binding::engine::counting kernel{expression_of(where, predicate, arrays)};
    const std::size_t count = count_of(arrays[0]);
    return on_engine([&] { return kernel.count(where, arrays_of(arrays), count); });
}

std::size_t find_if(const queue& where, const expression_parts& predicate,
                    const buffer_list& arrays) {
    const binding::engine::finding kernel{expression_of(where, predicate, arrays)};
    const std::size_t count = count_of(arrays[0]);
    return on_engine([&] { return kernel.find(where, arrays_of(arrays), count); });
}

}  // namespace

void register_opencl_reduction(py::module_& m) {
    m.def("fold", &fold, py::arg("queue"), py::arg("expression"), py::arg("arrays"),
          py::arg("operation"), py::arg("dtype"),
          R"(fold(queue, expression, arrays, operation, dtype)
--

Return the fold of an expression's values as numbers of ``dtype``; float16 is folded as float32.

expression: as for ``transform``. operation: "+", "*", "min" or "max", which propagate NaN.)");
    m.def("count_if", &count_if, py::arg("queue"), py::arg("predicate"), py::arg("arrays"),
          R"(count_if(queue, predicate, arrays)
--

Return the number of indices at which an expression holds.)");
    m.def("find_if", &find_if, py::arg("queue"), py::arg("predicate"), py::arg("arrays"),
          R"(find_if(queue, predicate, arrays)
--

Return the first index at which an expression holds, or the number of indices.)");
}

}  // namespace pointsman::python
