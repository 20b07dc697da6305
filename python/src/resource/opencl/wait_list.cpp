// SPDX-License-Identifier: Apache-2.0
// Collects the events of the argument `wait_for` and rejects other objects.
#include "resource/opencl/wait_list.hpp"

#include <string>

#include "resource/opencl/event_object.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

void add(std::vector<cl::Event>& list, py::handle given) {
    const auto* const event = find_event(given.ptr());
    if (event == nullptr) {
        throw py::type_error{
            "wait_for has a " +
            py::str(py::type::handle_of(given).attr("__name__")).cast<std::string>() +
            ": pass an Event that a queue returned, or a list of them"};
    }
    list.push_back(event->handle());
}

}  // namespace

std::vector<cl::Event> wait_list(py::handle wait_for) {
    std::vector<cl::Event> list;
    if (wait_for.is_none()) {
        return list;
    }
    if (!py::isinstance<py::iterable>(wait_for)) {
        add(list, wait_for);
        return list;
    }
    for (const py::handle each : wait_for) {
        add(list, each);
    }
    return list;
}

}  // namespace pointsman::python
