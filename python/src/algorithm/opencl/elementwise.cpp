// SPDX-License-Identifier: Apache-2.0
// Registers transformations and copies, which write a value for each index of a buffer.
#include <string>

#include "algorithm/opencl/engine_values.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "pointsman/error.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

/// Writes the values of an expression, whose text it keeps.
class transformation {
  public:
    transformation(const expression_parts& parts, const std::vector<py::object>& inputs,
                   const py::object& out, const py::object& constant)
        : expression_{with_constant({parts, inputs}, constant)},
          out_bytes_{element_of_dtype(out).size_bytes},
          kernel_{expression_.computed(), element_of_dtype(out)} {}

    void start(const queue& where, const buffer_list& arrays, const device_buffer& out,
               const py::bytes& constant) const {
        check_same_device(where, out);
        const std::size_t count = out.layout.size_bytes / out_bytes_;
        expression_.check(where, arrays, count);
        const auto value = static_cast<std::string>(constant);
        const auto& type = expression_.computed().constant;
        if (value.size() != (type ? type->size_bytes : 0)) {
            throw invalid_option{"a constant of " + std::to_string(value.size()) +
                                 " bytes: pass one of its dtype"};
        }
        const opencl::kernel_argument argument{value.size(), value.data()};
        on_engine([&] {
            kernel_.enqueue(where, arrays_of(arrays), {out.memory, 0}, count,
                            {&argument, type ? 1U : 0U});
        });
    }

  private:
    static prepared_expression with_constant(prepared_expression expression,
                                             const py::object& dtype) {
        if (!dtype.is_none()) {
            expression.set_constant(element_of_dtype(dtype));
        }
        return expression;
    }

    prepared_expression expression_;
    std::size_t out_bytes_;
    binding::engine::elementwise kernel_;
};

void copy(const queue& where, const device_buffer& from, const device_buffer& out) {
    check_same_device(where, from);
    check_same_device(where, out);
    on_engine([&] {
        binding::engine::enqueue_copy(where, {from.memory, 0}, {out.memory, 0},
                                      from.layout.size_bytes);
    });
}

}  // namespace

void register_opencl_elementwise(py::module_& m) {
    py::class_<transformation>(m, "Transformation", "An expression for arrays of given dtypes.")
        .def("start", &transformation::start, py::arg("queue"), py::arg("arrays"), py::arg("out"),
             py::arg("constant") = py::bytes{}, R"(start(self, queue, arrays, out, constant=b"")
--

Start to write the values of the expression to ``out``, which may be one of the arrays.

constant: the bytes of the constant value.)");
    m.def(
        "make_transformation",
        [](const expression_parts& expression, const std::vector<py::object>& inputs,
           const py::object& out, const py::object& constant) {
            return transformation{expression, inputs, out, constant};
        },
        py::arg("expression"), py::arg("inputs"), py::arg("out"), py::arg("constant") = py::none(),
        R"(make_transformation(expression, inputs, out, constant=None)
--

Return a ``Transformation`` of arrays of the dtypes ``inputs`` to results of the dtype ``out``.

expression: functions, statements and a value in OpenCL C; ``v0``, ``v1`` are the arrays' values, and
    ``constant_value`` is one of the dtype ``constant``.)");
    m.def("copy", &copy, py::arg("queue"), py::arg("array"), py::arg("out"),
          R"(copy(queue, array, out)
--

Start to copy all bytes of ``array`` to ``out``.)");
    m.def(
        "await_commands", [](const queue& where) { on_engine([&] { where.wait(); }); },
        py::arg("queue"), R"(await_commands(queue)
--

Block in the driver until every command on the queue is complete; Ctrl-C does not end the wait.)");
}

}  // namespace pointsman::python
