// SPDX-License-Identifier: Apache-2.0
// Lets events of pyopencl be watched like pointsman's own.
#include <cstdint>

#include "pointsman/binding/opencl.hpp"
#include "resource/opencl/event_waitable.hpp"
#include "resource/opencl/newest_events.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

/// Retains the event, of which pyopencl tells the address. An event belongs to its driver and is
/// reached by way of the driver's own table of functions, so it does not matter when pyopencl
/// brings a loader (`libOpenCL`) of its own.
opencl::event event_of(PyObject* object) {
    binding::check_not_forked();
    const py::object address = py::handle{object}.attr("int_ptr");
    const auto handle = reinterpret_cast<cl_event>(address.cast<std::uintptr_t>());
    const cl::Event event{handle, true};
    newest_events::instance().note(event);
    return opencl::event{event};
}

}  // namespace

void register_pyopencl_event() {
    py::module_::import("pointsman._core")
        .attr("_adopt_waitable")("pyopencl", "Event", event_waitable<&event_of>::capsule());
}

}  // namespace pointsman::python
