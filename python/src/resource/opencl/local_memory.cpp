// SPDX-License-Identifier: Apache-2.0
// Registers LocalMemory.
#include "resource/opencl/local_memory.hpp"

#include <string>

#include "fairlead/error.hpp"
#include "resource/opencl/registers.hpp"

namespace fairlead::python {

namespace py = pybind11;

local_memory::local_memory(std::size_t size) : size_bytes{size} {
    if (size == 0) {
        throw invalid_option{"local memory of 0 bytes: pass the bytes that a work group needs"};
    }
}

void register_opencl_local_memory(py::module_& m) {
    py::class_<local_memory> registered(m, "LocalMemory",
                                        R"(LocalMemory(size_bytes)
--

Memory that the work items of a group share; passed for a ``local`` pointer.

size_bytes: bytes for each group, from 1. Its contents are undefined when a group begins.)");
    registered
        .def(py::init<std::size_t>(), py::arg("size_bytes"),
             "__init__(self, size_bytes)\n--\n\nSee the class.")
        .def_readonly("size_bytes", &local_memory::size_bytes, "Bytes for each work group.")
        .def("__repr__", [](const local_memory& l) {
            return "LocalMemory(" + std::to_string(l.size_bytes) + ")";
        });
}

}  // namespace fairlead::python
