// SPDX-License-Identifier: Apache-2.0
// Registers Program and Kernel; kernels are also attributes of their program.
#include "pointsman/resource/opencl/program.hpp"

#include <pybind11/stl.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "checked_method.hpp"
#include "resource/opencl/arguments.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;
using opencl::program;

namespace {

std::vector<std::string> kernel_names(const program& p) {
    std::vector<std::string> names;
    std::istringstream list{p.kernel_names()};
    for (std::string name; std::getline(list, name, ';');) {
        names.push_back(name);
    }
    return names;
}

bound_kernel kernel_of(const program& p, const std::string& name) {
    return bound_kernel{p.kernel(name)};
}

/// A missing kernel is an AttributeError, as `hasattr` expects; any other error stays an OpenCLError.
bound_kernel kernel_attribute(const program& p, const std::string& name) {
    try {
        return kernel_of(p, name);
    } catch (const opencl::error& e) {
        if (e.code() == CL_INVALID_KERNEL_NAME) {
            throw py::attribute_error{e.what()};
        }
        throw;
    }
}

std::vector<std::pair<std::string, std::string>> parameters(const bound_kernel& k) {
    std::vector<std::pair<std::string, std::string>> list;
    for (const auto& parameter : k.kernel.parameters()) {
        list.emplace_back(parameter.name, parameter.type);
    }
    return list;
}

}  // namespace

void register_opencl_program(py::module_& m) {
    py::class_<bound_kernel>(m, "Kernel", R"(A function of a program; made by ``Program.kernel``.

Threads may share a kernel. Each holds the kernel's lock while it enqueues: a separate kernel for each
thread avoids waiting.

>>> twice = "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
>>> queue = pm.opencl.Queue()
>>> kernel = queue.build(twice).kernel("twice")
>>> kernel.parameters
[('x', 'float*')]
>>> buffer = queue.buffer(np.ones(2, dtype=np.float32))
>>> queue.enqueue(kernel, buffer.shape, buffer).wait()
True)")
        .def_property_readonly(
            "name", [](const bound_kernel& k) { return k.kernel.name(); }, "Name of the function.")
        .def_property_readonly("parameters", &parameters,
                               "Name and type of each parameter, as a list of pairs of strings.")
        .def("__repr__",
             [](const bound_kernel& k) { return "<Kernel '" + k.kernel.name() + "'>"; });

    py::class_<program> registered(m, "Program",
                                   R"doc(A program built by ``Queue.build`` for the queue's device.

``program.name`` is short for ``program.kernel("name")``.

>>> twice = "kernel void twice(global float* x) { x[get_global_id(0)] *= 2; }"
>>> program = pm.opencl.Queue().build(twice)
>>> program.kernel_names
['twice'])doc");
    add_checked(registered, {"kernel", {{"name", nullptr, "a str, the name of a kernel"}}},
                R"(Return a new Kernel for the function ``name``. Raises OpenCLError, listing the
program's kernels, when there is none of that name.)",
                [](const program& p, const bound_arguments& given) {
                    return kernel_of(p, given.as<std::string>(0));
                });
    registered
        .def_property_readonly("kernel_names", &kernel_names, "Names of the program's kernels.")
        .def("__getattr__", &kernel_attribute, py::arg("name"))
        .def("__repr__", [](const program& p) { return "<Program: " + p.kernel_names() + ">"; });
}

}  // namespace pointsman::python
