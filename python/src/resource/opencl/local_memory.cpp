// SPDX-License-Identifier: Apache-2.0
// Registers LocalMemory, and rejects a size of zero.
#include "resource/opencl/local_memory.hpp"

#include <string>

#include "call_signature.hpp"
#include "pointsman/error.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

local_memory::local_memory(std::size_t size) : size_bytes{size} {
    if (size == 0) {
        throw invalid_option{"local memory of 0 bytes: pass the bytes that a work group needs"};
    }
}

void register_opencl_local_memory(py::module_& m) {
    const call_signature signature{
        "LocalMemory", {{"size_bytes", nullptr, "an int, the bytes for each work group, from 1"}}};
    const auto doc = signature.documented(
        R"(Memory that the work items of a work group share; passed for a ``local`` pointer.

size_bytes: bytes for each work group, from 1. The contents are undefined when a work group begins.

>>> source = '''
... kernel void reverse(global float* x, local float* copy) {
...     int i = get_local_id(0);
...     copy[i] = x[i];
...     barrier(CLK_LOCAL_MEM_FENCE);
...     x[i] = copy[get_local_size(0) - 1 - i];
... }'''
>>> queue = pm.opencl.Queue()
>>> x = queue.buffer(np.arange(4, dtype=np.float32))
>>> copy = pm.opencl.LocalMemory(4 * x.itemsize)
>>> event = queue.enqueue(queue.build(source).kernel("reverse"), 4, x, copy, local_size=4)
>>> queue.read(x)
array([3., 2., 1., 0.], dtype=float32))");
    py::class_<local_memory> registered(m, "LocalMemory", doc.c_str());
    registered
        .def(py::init([signature](const py::args& args, const py::kwargs& kwargs) {
                 return local_memory{signature.bind(args, kwargs).as<std::size_t>(0)};
             }),
             signature.of_constructor().c_str())
        .def_readonly("size_bytes", &local_memory::size_bytes, "Bytes for each work group.")
        .def("__repr__", [](const local_memory& l) {
            return "LocalMemory(" + std::to_string(l.size_bytes) + ")";
        });
}

}  // namespace pointsman::python
