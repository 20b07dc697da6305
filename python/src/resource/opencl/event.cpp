// SPDX-License-Identifier: Apache-2.0
// Registers Event.
#include "fairlead/resource/opencl/event.hpp"

#include <optional>

#include <pybind11/stl.h>

#include "gil.hpp"
#include "instance.hpp"
#include "resource/opencl/event_waitable.hpp"
#include "resource/opencl/registers.hpp"
#include "submission/interruptible.hpp"

namespace fairlead::python {

namespace py = pybind11;
using opencl::event;

namespace {

event event_of(PyObject* object) { return value_in<const event>(object); }

/// Whether the command was over before `timeout`.
bool wait(const event& e, const py::object& timeout) {
    const deadline_t deadline = to_deadline(timeout.ptr());
    if (!wait_by_asking(deadline, [&] { return e.is_ready(); })) {
        return false;
    }
    e.wait();
    return true;
}

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
        .def("wait", &wait, py::arg("timeout") = py::none(),
             R"(wait(self, timeout=None)
--

Block until the command is over; return whether it is. Raises OpenCLError when it failed.

timeout: seconds; None for no limit. Ctrl-C ends the wait, not the command.)")
        .def("done", &event::is_ready, py::call_guard<gil_released>(),
             "done(self)\n--\n\n"
             "Return whether the command is over, well or badly. Never blocks.")
        .def_property_readonly("elapsed", &elapsed_seconds,
                               "Seconds that the device worked on the command; None before its "
                               "end, after a failure and on a queue without profiling.")
        .def("__repr__",
             [](const event& e) { return e.is_ready() ? "<Event, over>" : "<Event, running>"; });
    registered.attr(native_waitable_attribute) = event_waitable<&event_of>::capsule();
}

}  // namespace fairlead::python
