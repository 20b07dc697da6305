// SPDX-License-Identifier: Apache-2.0
// Registers Device, devices() and share_context(), which put devices into a common context.
#include "pointsman/resource/opencl/device.hpp"
#include "pointsman/resource/opencl/context.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "checked_method.hpp"
#include "decoded.hpp"
#include "gil.hpp"
#include "pointsman/resource/opencl/device_list.hpp"
#include "resource/opencl/driver_warnings.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;
using opencl::device;

namespace {

const char* type_of(const device& d) {
    return d.is_gpu() ? "gpu" : d.is_cpu() ? "cpu" : "accelerator";
}

/// A getter of a text that the driver supplies.
template <std::string (device::*Query)() const>
py::str text_of(const device& d) {
    return decoded((d.*Query)());
}

/// Clamps a count out of range to a value that the check in `split` rejects with its error message.
unsigned count_of(long long count) {
    constexpr long long largest = std::numeric_limits<unsigned>::max();
    return static_cast<unsigned>(std::clamp(count, 0LL, largest));
}

/// A list that shows as a table in Jupyter.
py::object device_list(const std::vector<device>& members) {
    return py::module_::import("pointsman._device_list").attr("DeviceList")(py::cast(members));
}

py::object split(const device& whole, const std::vector<long long>& compute_units) {
    std::vector<unsigned> counts;
    std::ranges::transform(compute_units, std::back_inserter(counts), &count_of);
    return device_list([&] {
        const gil_released others_may_run;
        return whole.split(counts);
    }());
}

py::object split_equally(const device& whole, long long compute_units) {
    return device_list([&] {
        const gil_released others_may_run;
        return whole.split_equally(count_of(compute_units));
    }());
}

py::object devices() {
    const auto found = [] {
        const gil_released others_may_run;
        return opencl::devices();
    }();
    warn_of_drivers();
    return device_list(found);
}

void add_parts(py::class_<device>& registered) {
    add_checked(
        registered,
        {"split", {{"compute_units", nullptr, "a sequence of ints, the units of each part"}}},
        R"(Return one part of the device, a ``Device``, for each count of compute units.

compute_units: a sequence of counts from 1 whose sum is at most ``device.compute_units``. The parts
    use different units; queues on all parts can use the same buffers.

Raises InvalidOptionError (a ValueError) for counts that the device does not have, OpenCLError
when its driver cannot split devices (drivers for CPUs can).)",
        [](const device& whole, const bound_arguments& given) {
            return split(whole, given.as<std::vector<long long>>(0));
        });
    add_checked(
        registered,
        {"split_equally", {{"compute_units", nullptr, "an int, the units of each part"}}},
        R"(Return as many parts of ``compute_units`` compute units each as the device has room for.

Raises the exceptions of ``split``.)",
        [](const device& whole, const bound_arguments& given) {
            return split_equally(whole, given.as<long long>(0));
        });
}

}  // namespace

void register_opencl_device(py::module_& m) {
    py::class_<device> registered(m, "Device",
                                  R"(An OpenCL device, listed by ``devices()``, or a part of one.

>>> device = pm.opencl.devices()[0]
>>> pm.opencl.Queue(device).device == device
True
>>> device.compute_units > 0
True)");
    registered
        .def_property_readonly("name", &text_of<&device::name>, "Name, as the driver gives it.")
        .def_property_readonly(
            "label", &text_of<&device::label>,
            R"(The name, with what tells the device from others of this machine with the same name.

That is its PCI address, as in ``NVIDIA H200 (PCI 0000:3b:00.0)``, or where the driver does not tell the
address its number, as in ``NVIDIA H200 (number 2 of 8)``. A part has its number among those of the
``split``.)")
        .def_property_readonly(
            "pci_address", &device::pci_address,
            "Address on the PCI bus, such as '0000:3b:00.0'; None if the driver does not tell it.")
        .def_property_readonly("vendor", &text_of<&device::vendor>,
                               "Name of the device's manufacturer.")
        .def_property_readonly("platform", &text_of<&device::platform>,
                               "Name of the driver's platform.")
        .def_property_readonly("driver_version", &text_of<&device::driver_version>,
                               "Version of the driver, as the driver gives it.")
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
        .def("__repr__",
             [](const device& d) {
                 const unsigned units = d.compute_units();
                 return decoded(
                     "<Device '" + d.label() + "', " + type_of(d) + ", " + std::to_string(units) +
                     (units == 1 ? " compute unit, " : " compute units, ") + d.platform() + ">");
             })
        .def(
            "_repr_html_",
            [](const py::object& device) {
                return py::module_::import("pointsman._device_list").attr("html_of_device")(device);
            },
            "_repr_html_(self)\n--\n\nReturn the device as a table for Jupyter.");
    add_parts(registered);

    m.def("devices", &devices,
          R"(devices()
--

Return the available devices of every installed driver as a list of ``Device``, a table in Jupyter.

GPUs come first and CPUs last. A device that two drivers offer is listed once. A broken driver is
skipped with a DriverWarning. Without a driver the list is empty.)");
    add_checked(m, {"share_context", {{"devices", nullptr, "a list of Devices"}}},
                R"(Return the same devices, all of one driver, as members of a new context.

Queues on any of the returned devices can use the same buffers; otherwise only queues on the same
device, or on parts made by one ``split``, can. Raises InvalidOptionError (a ValueError) for an empty
list, OpenCLError when the devices cannot share a context.)",
                [](const bound_arguments& given) {
                    const auto members = given.as<std::vector<device>>(0);
                    return device_list([&] {
                        const gil_released others_may_run;
                        return opencl::share_context(members);
                    }());
                });
}

}  // namespace pointsman::python
