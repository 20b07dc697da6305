// SPDX-License-Identifier: Apache-2.0
// Registers Event.
#include "fairlead/resource/opencl/event.hpp"

#include <optional>

#include <pybind11/stl.h>

#include "gil.hpp"
#include "resource/opencl/registers.hpp"
#include "submission/native_waitable.hpp"

namespace fairlead::python {

namespace py = pybind11;
using opencl::event;

namespace {

event& held(void* handle) { return *static_cast<event*>(handle); }

const native_waitable event_functions{
    .acquire = [](PyObject* object) -> void* {
        return new event{py::handle{object}.cast<const event&>()};
    },
    .release = [](void* handle) noexcept { delete &held(handle); },
    .on_completion = [](void* handle,
                        completion_callback callback) { held(handle).on_completion(callback); },
    .is_ready = [](void* handle) { return held(handle).is_ready(); },
    .wait =
        [](void* handle) {
            try {
                held(handle).wait();
            } catch (const opencl::error&) {  // outcome() tells of it
            }
        },
    .outcome = [](void* handle) noexcept { return held(handle).outcome(); },
};

std::optional<double> elapsed_seconds(const event& e) {
    const auto elapsed = e.elapsed();
    if (!elapsed) {
        return std::nullopt;
    }
    return std::chrono::duration<double>{*elapsed}.count();
}

}  // namespace

void register_opencl_event(py::module_& m) {
    py::class_<event> registered(
        m, "Event", R"(The end of a command on a queue; made by ``Queue.enqueue`` and its kin.

Dropping it changes nothing for the command.)");
    registered
        .def("wait", &event::wait, py::call_guard<gil_released>(),
             "Block until the command is over. Raises OpenCLError when it failed.")
        .def("done", &event::is_ready, py::call_guard<gil_released>(),
             "Return whether the command is over, well or badly. Never blocks.")
        .def_property_readonly("elapsed", &elapsed_seconds,
                               "Seconds that the device worked on the command; None before its "
                               "end, after a failure and on a queue without profiling.")
        .def("__repr__",
             [](const event& e) { return e.is_ready() ? "<Event, over>" : "<Event, running>"; });
    registered.attr(native_waitable_attribute) = py::reinterpret_steal<py::object>(PyCapsule_New(
        const_cast<native_waitable*>(&event_functions), native_waitable_name, nullptr));
}

}  // namespace fairlead::python
