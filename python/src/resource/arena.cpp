// SPDX-License-Identifier: Apache-2.0
// Registers Arena and ArenaTask.
#include "pointsman/resource/arena.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "call_signature.hpp"
#include "gil.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "native_method.hpp"
#include "resource/arena_call.hpp"
#include "rooms.hpp"
#include "submission/wait.hpp"
#include "tuning/domain.hpp"

namespace pointsman::python {
namespace {

using task_t = arena_call::ref;

PyObject* run(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    return guarded<&translate_error>([&] {
        if (given < 1) {
            throw py::type_error{"pass a callable, which the arena will run"};
        }
        const auto begin = clock::now();
        return py::cast(arena_call::start(value_in<arena>(self), values[0],
                                          {values + 1, given - 1, keywords}, begin))
            .release()
            .ptr();
    });
}

/// Returns true if the call was complete before `timeout`.
bool wait_for_task(const task_t& task, const py::object& timeout) {
    const deadline_t deadline = to_deadline(timeout.ptr());
    if (!deadline) {
        task->help();
    }
    if (task->is_ready()) {
        return true;
    }
    const auto here = task->end();
    return wait_interruptibly(deadline,
                              [&](clock::duration pause) { return here->wait_for(pause); });
}

/// Whether everything on the arena was over before `timeout`.
bool wait_for_all(const arena& a, const py::object& timeout) {
    const deadline_t deadline = to_deadline(timeout.ptr());
    static_cast<void>(arena_call::take_interrupt());
    bool is_interrupted = false;
    const bool ended = wait_interruptibly(deadline, [&](clock::duration pause) {
        const bool is_over = a.wait_until(clock::now() + pause, !deadline);
        is_interrupted = arena_call::take_interrupt();
        return is_over || is_interrupted;
    });
    if (is_interrupted) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set{};
    }
    return ended;
}

py::object result_of_task(const task_t& task, const py::object& timeout) {
    if (!wait_for_task(task, timeout)) {
        throw_wait_timeout(timeout.ptr());
    }
    PyObject* const found = task->result();
    if (found == nullptr) {
        throw py::error_already_set{};
    }
    return py::reinterpret_steal<py::object>(found);
}

}  // namespace

void register_arena(py::module_& m) {
    arena_call::prepare();
    py::class_<task_t> task(m, "ArenaTask", "A call that runs on an arena; made by ``Arena.run``.");
    task.def("wait", &wait_for_task, py::arg("timeout") = py::none(),
             R"(wait(self, timeout=None)
--

Block until the call is over; return whether it is.

timeout: seconds; None for no limit. The call's exception comes out of ``result()``. Ctrl-C ends the wait,
and the call only where this thread runs it itself, as it may without a timeout.)")
        .def("result", &result_of_task, py::arg("timeout") = py::none(),
             R"(result(self, timeout=None)
--

Block until the call is over and return its value, or raise its exception.

Raises WaitTimeoutError when it is not over within ``timeout`` seconds.)")
        .def(
            "done", [](const task_t& call) { return call->is_ready(); },
            "done(self)\n--\n\nReturn whether the call is over. Never blocks.")
        .def(
            "cancel", [](const task_t& call) { return call->cancel(); },
            R"(cancel(self)
--

Drop a call that has not begun; return whether it was dropped.

A call that runs is asked to stop: ``stop_requested()`` is true in it.)")
        .def("__repr__", [](const task_t& call) {
            return std::string{"<ArenaTask "} + (call->is_ready() ? "done>" : "pending>");
        });
    task.attr(native_waitable_attribute) = py::reinterpret_steal<py::object>(PyCapsule_New(
        const_cast<native_waitable*>(&arena_call::functions), native_waitable_name, nullptr));
    m.def("stop_requested", &arena_call::is_asked_to_stop,
          R"(stop_requested()
--

Return whether the work that runs on this thread was cancelled and should stop.

For functions that an arena runs; False anywhere else.)");

    const call_signature signature{
        "Arena",
        {{"concurrency", "None", "an int, the number of threads, or None for all cores"},
         {"numa_node", "None", "an int, the index of a NUMA node, or None for anywhere"}}};
    const auto doc = signature.documented(R"(A share of the machine's cores: a TBB task arena.

concurrency: number of threads, from 1; default all cores of the node or machine.
numa_node: index of the NUMA node to stay on; default anywhere.

Raises InvalidOptionError (a ValueError) for values that the machine does not have.)");
    py::class_<arena> cls(m, "Arena", doc.c_str());
    add_method(cls, "run", &run, R"(run($self, f, /, *args, **kwargs)
--

Start ``f(*args, **kwargs)`` on the arena and return an ``ArenaTask``.)");
    cls.def(py::init([signature](const py::args& args, const py::kwargs& kwargs) {
                using number = std::optional<int>;
                const auto given = signature.bind(args, kwargs);
                return arena{given.get<number>(0, {}), given.get<number>(1, {})};
            }),
            signature.of_constructor().c_str())
        .def("wait", &wait_for_all, py::arg("timeout") = py::none(),
             R"(wait(self, timeout=None)
--

Block until everything that was run on the arena is over; return whether it is.

timeout: seconds; None for no limit. Inside a call on the arena it waits for the other calls. Ctrl-C ends
the wait, and of the calls the one that this thread runs itself meanwhile, as it may without a timeout.)")
        .def_property_readonly("concurrency", &arena::concurrency, "Number of threads.")
        .def_property_readonly(
            "domain", [](const arena& a) { return to_python(a.domain()); },
            "The Domain of cores that it shares with other arenas and with OpenCL devices on them.")
        .def_property_readonly("numa_node", &arena::numa_node,
                               "Index of the arena's NUMA node, or None.")
        .def("__repr__", [](const arena& a) {
            const auto node = a.numa_node();
            return "Arena(concurrency=" + std::to_string(a.concurrency()) +
                   (node ? ", numa_node=" + std::to_string(*node) : std::string{}) + ")";
        });

    m.def(
        "_default_arenas", [] { return default_universe<arena>::get(); },
        "_default_arenas()\n--\n\nReturn one arena for each NUMA node of the machine.");
}

}  // namespace pointsman::python
