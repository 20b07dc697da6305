// SPDX-License-Identifier: Apache-2.0
// Issues Python warnings for OpenCL drivers that failed to list their devices.
#include "resource/opencl/driver_warnings.hpp"

#include <pybind11/pybind11.h>

#include <string>

#include "decoded.hpp"
#include "gil.hpp"
#include "pointsman/resource/opencl/device_list.hpp"

namespace pointsman::python {

void warn_of_drivers() {
    const auto warnings = [] {
        const gil_released others_may_run;
        return opencl::driver_warnings();
    }();
    const py::object category = py::module_::import("pointsman.error").attr("DriverWarning");
    for (const std::string& text : warnings) {
        if (PyErr_WarnFormat(category.ptr(), 1, "%U", decoded(text).ptr()) != 0) {
            throw py::error_already_set{};
        }
    }
}

}  // namespace pointsman::python
