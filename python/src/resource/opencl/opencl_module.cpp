// SPDX-License-Identifier: Apache-2.0
// The extension module fairlead._opencl: the only one that needs an OpenCL loader.
#include <pybind11/pybind11.h>

#include "module_definition.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/newest_events.hpp"
#include "resource/opencl/registers.hpp"

FAIRLEAD_PYTHON_MODULE(_opencl, m) {
    namespace py = pybind11;
    py::options options;
    options.disable_function_signatures();
    m.doc() = "OpenCL queues as resources; the names are public in fairlead.opencl.";
    py::module_::import("atexit").attr("register")(py::cpp_function{[] {
        fairlead::python::newest_events::instance().await_start();
        fairlead::python::retired_memory::instance().close();
    }});
    fairlead::python::register_opencl_errors(m);
    fairlead::python::register_opencl_device(m);
    fairlead::python::register_opencl_buffer(m);
    fairlead::python::register_opencl_local_memory(m);
    fairlead::python::register_opencl_event(m);
    fairlead::python::register_pyopencl_event();
    fairlead::python::register_opencl_program(m);
    fairlead::python::register_opencl_queue(m);
    fairlead::python::register_opencl_sort(m);
    fairlead::python::register_opencl_scan(m);
    fairlead::python::register_opencl_host_arithmetic(m);
    fairlead::python::register_opencl_merge(m);
    fairlead::python::register_opencl_extremum(m);
    fairlead::python::register_opencl_histogram(m);
}
