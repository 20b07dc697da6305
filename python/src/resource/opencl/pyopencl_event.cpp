// SPDX-License-Identifier: Apache-2.0
// Makes pyopencl.Event a waitable, watched through the underlying cl_event.
#include <cstdint>

#include "pointsman/binding/opencl.hpp"
#include "resource/opencl/event_waitable.hpp"
#include "resource/opencl/newest_events.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

/// Retains the event whose address pyopencl exposes. Calls on an event go through the function table of
/// the event's driver, so a separate loader (`libOpenCL`) in pyopencl does no harm.
opencl::event event_in(PyObject* object) {
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
        .attr("_adopt_waitable")("pyopencl", "Event", event_waitable<&event_in>::capsule());
}

}  // namespace pointsman::python
