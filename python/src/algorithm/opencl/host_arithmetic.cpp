// SPDX-License-Identifier: Apache-2.0
// Adds host_arithmetic, the options of programs that compute as the host does.
#include <pybind11/pybind11.h>

#include "pointsman/binding/algorithm.hpp"
#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

void register_opencl_host_arithmetic(py::module_& m) {
    m.def(
        "host_arithmetic",
        [](const opencl::queue& where) { return binding::host_arithmetic(where); },
        py::arg("queue"),
        R"(host_arithmetic(queue)
--

Return the options with which a program of the queue's device divides and takes roots of float32 as
NumPy does; empty where the device cannot.)");
}

}  // namespace pointsman::python
