// SPDX-License-Identifier: Apache-2.0
// Declares the functions with which each file of the OpenCL bindings registers its classes and functions.
#pragma once

#include <pybind11/pybind11.h>

#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/buffer.hpp"

namespace pointsman::python {

void register_opencl_errors(pybind11::module_& m);
void register_opencl_device(pybind11::module_& m);
void register_opencl_buffer(pybind11::module_& m);
void register_opencl_local_memory(pybind11::module_& m);
void register_opencl_event(pybind11::module_& m);
void register_pyopencl_event();
void register_opencl_program(pybind11::module_& m);
void register_opencl_queue(pybind11::module_& m);
void register_opencl_sort(pybind11::module_& m);
void register_opencl_scan(pybind11::module_& m);
void register_opencl_elementwise(pybind11::module_& m);
void register_opencl_reduction(pybind11::module_& m);
void register_opencl_compaction(pybind11::module_& m);
void register_opencl_merge(pybind11::module_& m);
void register_opencl_extremum(pybind11::module_& m);
void register_opencl_histogram(pybind11::module_& m);
void register_opencl_launch(pybind11::module_& m);
void add_opencl_enqueue(const pybind11::object& queue_class);
void add_opencl_upload(pybind11::class_<opencl::queue>& queue_class);
void add_opencl_buffer_view(pybind11::class_<device_buffer>& buffer_class);
void add_opencl_transfers(pybind11::class_<opencl::queue>& queue_class);
void add_opencl_pinned(pybind11::module_& m, pybind11::class_<opencl::queue>& queue_class);

}  // namespace pointsman::python
