// SPDX-License-Identifier: Apache-2.0
// Registers folds, count_if and find_if, for values that an expression computes.
#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Folds the values of an expression, whose text it keeps.
class prepared_fold {
  public:
    /// `operation` is "+", "*", "min" or "max".
    prepared_fold(const expression_parts& parts, const std::vector<py::object>& inputs,
                  const std::string& operation, const py::object& dtype)
        : expression_{parts, inputs}, fold_{made(operation, element_of_dtype(dtype).computed)} {}

    [[nodiscard]] py::object run(const queue& where, const buffer_list& arrays) const {
        const std::vector<element>& inputs = expression_.computed().inputs;
        if (arrays.empty() || inputs.empty()) {
            throw invalid_option{"a fold has no values: pass an array"};
        }
        const std::size_t count = arrays[0].get().layout.size_bytes / inputs[0].size_bytes;
        expression_.check(where, arrays, count);
        return fold_(where, arrays, count);
    }

  private:
    using fold = std::function<py::object(const queue&, const buffer_list&, std::size_t count)>;

    /// Folds numbers of `type` with `F`; the host folds the device's partial results as `T`s and returns a `Result`.
    template <class T, class Result, class F>
    [[nodiscard]] fold by(const std::string& type) const {
        return
            [kernel = binding::engine::reduction{expression_.computed(),
                                                 {F::opencl_source(), std::string{F::opencl_name()},
                                                  type, std::string{binding::opencl_type<T>()}}}](
                const queue& where, const buffer_list& arrays, std::size_t count) {
                const T folded = on_engine(
                    [&] { return kernel.template fold<T>(where, arrays_of(arrays), count, F{}); });
                return py::object{py::cast(static_cast<Result>(folded))};
            };
    }

    template <class T>
    [[nodiscard]] fold named(const std::string& operation, const std::string& type) const {
        return operation == "+"     ? by<T, T, plus>(type)
               : operation == "*"   ? by<T, T, multiplies>(type)
               : operation == "min" ? by<T, T, numpy_minimum>(type)
                                    : by<T, T, numpy_maximum>(type);
    }

    [[nodiscard]] fold made(const std::string& operation, const std::string& type) const {
        if (type == "float") {
            return named<float>(operation, type);
        }
        if (type == "double") {
            return named<double>(operation, type);
        }
        const bool wraps = operation == "+" || operation == "*";
        if (type[0] == 'u') {
            return named<std::uint64_t>(operation, wraps ? "ulong" : type);
        }
        if (wraps) {  // folded as unsigned integers, which wrap around
            return operation == "+" ? by<std::uint64_t, std::int64_t, plus>("ulong")
                                    : by<std::uint64_t, std::int64_t, multiplies>("ulong");
        }
        return named<std::int64_t>(operation, type);
    }

    prepared_expression expression_;
    fold fold_;
};

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
    py::class_<prepared_fold>(m, "Fold", "A fold of an expression for arrays of given dtypes.")
        .def("run", &prepared_fold::run, py::arg("queue"), py::arg("arrays"),
             R"(run(self, queue, arrays)
--

Return the fold of the expression's values.)");
    m.def(
        "make_fold",
        [](const expression_parts& expression, const std::vector<py::object>& inputs,
           const std::string& operation,
           const py::object& dtype) { return prepared_fold{expression, inputs, operation, dtype}; },
        py::arg("expression"), py::arg("inputs"), py::arg("operation"), py::arg("dtype"),
        R"(make_fold(expression, inputs, operation, dtype)
--

Return a ``Fold``, as numbers of ``dtype``, of an expression for arrays of the dtypes ``inputs``; float16
is folded as float32.

expression: as for ``make_transformation``. operation: "+", "*", "min" or "max", which propagate NaN.)");
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
