// SPDX-License-Identifier: Apache-2.0
// Registers Device and devices().
#include "fairlead/resource/opencl/device.hpp"

#include <pybind11/stl.h>

#include <functional>
#include <string>

#include "resource/opencl/registers.hpp"

namespace fairlead::python {

namespace py = pybind11;
using opencl::device;

namespace {

const char* type_of(const device& d) {
    return d.is_gpu() ? "gpu" : d.is_cpu() ? "cpu" : "accelerator";
}

}  // namespace

void register_opencl_device(py::module_& m) {
    py::class_<device>(m, "Device", "An OpenCL device; listed by ``devices()``.")
        .def_property_readonly("name", &device::name, "Name, as the driver gives it.")
        .def_property_readonly("vendor", &device::vendor, "Who made the device.")
        .def_property_readonly("platform", &device::platform, "Name of the driver's platform.")
        .def_property_readonly("driver_version", &device::driver_version,
                               "Version of the driver, in its own words.")
        .def_property_readonly("type", &type_of, "'gpu', 'cpu' or 'accelerator'.")
        .def_property_readonly("compute_units", &device::compute_units,
                               "Number of cores or multiprocessors.")
        .def_property_readonly("max_work_group_size", &device::max_work_group_size,
                               "Largest product of a kernel's local size.")
        .def_property_readonly("global_memory_bytes", &device::global_memory_bytes,
                               "Size of the device's memory in bytes.")
        .def(
            "__eq__",
            [](const device& a, const py::object& b) {
                return py::isinstance<device>(b) && a == b.cast<const device&>();
            },
            py::arg("other"))
        .def("__hash__", [](const device& d) { return std::hash<const void*>{}(d.handle()()); })
        .def("__repr__", [](const device& d) {
            return "<Device '" + d.name() + "', " + type_of(d) + ", " +
                   std::to_string(d.compute_units()) + " compute units, " + d.platform() + ">";
        });

    m.def("devices", &opencl::devices, py::call_guard<py::gil_scoped_release>(),
          R"(Return the available devices of every installed driver as a list of ``Device``.

GPUs come first and CPUs last. A device that two drivers offer is listed once; a driver that fails
is passed over. Without a driver the list is empty.)");
}

}  // namespace fairlead::python
