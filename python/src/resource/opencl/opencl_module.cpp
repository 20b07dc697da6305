// SPDX-License-Identifier: Apache-2.0
// The extension module pointsman._opencl: the only one that needs an OpenCL loader.
#include <pybind11/pybind11.h>

#include "module_definition.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/newest_events.hpp"
#include "resource/opencl/registers.hpp"

POINTSMAN_PYTHON_MODULE(_opencl, m) {
    namespace py = pybind11;
    py::options options;
    options.disable_function_signatures();
    m.doc() = "OpenCL queues as resources; the names are public in pointsman.opencl.";
    py::module_::import("atexit").attr("register")(py::cpp_function{[] {
        pointsman::python::newest_events::instance().await_start();
        pointsman::python::retired_memory::instance().close();
    }});
    pointsman::python::register_opencl_errors(m);
    pointsman::python::register_opencl_device(m);
    pointsman::python::register_opencl_buffer(m);
    pointsman::python::register_opencl_local_memory(m);
    pointsman::python::register_opencl_event(m);
    pointsman::python::register_pyopencl_event();
    pointsman::python::register_opencl_program(m);
    pointsman::python::register_opencl_queue(m);
    pointsman::python::register_opencl_sort(m);
    pointsman::python::register_opencl_scan(m);
    pointsman::python::register_opencl_elementwise(m);
    pointsman::python::register_opencl_reduction(m);
    pointsman::python::register_opencl_compaction(m);
    pointsman::python::register_opencl_merge(m);
    pointsman::python::register_opencl_extremum(m);
    pointsman::python::register_opencl_histogram(m);
    pointsman::python::register_opencl_launch(m);
}
