// SPDX-License-Identifier: Apache-2.0
// Registers transform, fill and copy, which write a value for each index of a buffer.
#include <string>

#include "algorithm/opencl/engine_values.hpp"
#include "pointsman/binding/algorithm.hpp"
#include "pointsman/error.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

using opencl::queue;

void transform(const queue& where, const expression_parts& parts, const buffer_list& arrays,
               const device_buffer& out) {
    check_same_device(where, out);
    const binding::engine::elementwise kernel{expression_of(where, parts, arrays),
                                              element_of_dtype(out.layout.dtype)};
    const std::size_t count = count_of(out);
    on_engine([&] { kernel.enqueue(where, arrays_of(arrays), {out.memory, 0}, count); });
}

void fill(const queue& where, const device_buffer& out, const py::bytes& value) {
    check_same_device(where, out);
    const auto type = element_of_dtype(out.layout.dtype);
    const auto bytes = static_cast<std::string>(value);
    if (bytes.size() != type.size_bytes) {
        throw invalid_option{"a value of " + std::to_string(bytes.size()) +
                             " bytes for a buffer of " + std::to_string(type.size_bytes) +
                             " each: pass one of its dtype"};
    }
    const std::size_t count = count_of(out);
    on_engine([&] {
        const binding::engine::elementwise kernel{{"", {}, "", "constant_value", type}, type};
        const opencl::kernel_argument constant{bytes.size(), bytes.data()};
        kernel.enqueue(where, {}, {out.memory, 0}, count, {&constant, 1});
    });
}

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
    m.def("transform", &transform, py::arg("queue"), py::arg("expression"), py::arg("arrays"),
          py::arg("out"), R"(transform(queue, expression, arrays, out)
--

Start to write the values of an expression to ``out``, which may be one of the arrays.

expression: functions, statements and a value in OpenCL C; ``v0``, ``v1`` are the arrays' values.)");
    m.def("copy", &copy, py::arg("queue"), py::arg("array"), py::arg("out"),
          R"(copy(queue, array, out)
--

Start to copy all bytes of ``array`` to ``out``.)");
    m.def("fill", &fill, py::arg("queue"), py::arg("out"), py::arg("value"),
          R"(fill(queue, out, value)
--

Start to write ``value``, the bytes of one element, to each index of ``out``.)");
    m.def(
        "await_commands", [](const queue& where) { on_engine([&] { where.wait(); }); },
        py::arg("queue"), R"(await_commands(queue)
--

Block in the driver until every command on the queue is complete; Ctrl-C does not end the wait.)");
}

}  // namespace pointsman::python
