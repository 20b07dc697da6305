// SPDX-License-Identifier: Apache-2.0
// The Python classes Arena and ArenaTask, whose waits Ctrl-C interrupts.
#include "pointsman/resource/arena.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "call_signature.hpp"
#include "generic_class.hpp"
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
    const auto end = task->end();
    return wait_interruptibly(deadline,
                              [&](clock::duration pause) { return end->wait_for(pause); });
}

/// Returns true if everything on the arena was complete before `timeout`.
bool wait_for_all(const arena& a, const py::object& timeout) {
    const deadline_t deadline = to_deadline(timeout.ptr());
    static_cast<void>(arena_call::take_interrupt());
    bool is_interrupted = false;
    const bool is_complete = wait_interruptibly(deadline, [&](clock::duration pause) {
        const bool are_all_complete = a.wait_until(clock::now() + pause, !deadline);
        is_interrupted = arena_call::take_interrupt();
        return are_all_complete || is_interrupted;
    });
    if (is_interrupted) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        throw py::error_already_set{};
    }
    return is_complete;
}

py::object result_of_task(const task_t& task, const py::object& timeout) {
    if (!wait_for_task(task, timeout)) {
        throw_wait_timeout(timeout.ptr());
    }
    PyObject* const result = task->result();
    if (result == nullptr) {
        throw py::error_already_set{};
    }
    return py::reinterpret_steal<py::object>(result);
}

}  // namespace

void register_arena(py::module_& m) {
    arena_call::prepare();
    py::class_<task_t> task(m, "ArenaTask", R"(A call that runs on an arena; made by ``Arena.run``.

>>> task = pm.Arena(1).run(sum, range(10))
>>> task.result(timeout=60)
45
>>> task.done()
True)");
    make_generic(task);
    task.def("wait", &wait_for_task, py::arg("timeout") = py::none(),
             R"(wait(self, timeout=None)
--

Block until the call is complete; return whether it is.

timeout: seconds; None for no limit. ``result()`` raises the call's exception. Ctrl-C ends the wait, and
also the call if this thread is running it, which it may do when there is no timeout.)")
        .def("result", &result_of_task, py::arg("timeout") = py::none(),
             R"(result(self, timeout=None)
--

Block until the call is complete and return its value, or raise its exception.

Raises WaitTimeoutError when the call is not complete within ``timeout`` seconds.)")
        .def(
            "done", [](const task_t& call) { return call->is_ready(); },
            "done(self)\n--\n\nReturn whether the call is complete. Never blocks.")
        .def(
            "cancel", [](const task_t& call) { return call->cancel(); },
            R"(cancel(self)
--

Drop a call that has not begun; return whether it was dropped.

A running call is asked to stop: ``stop_requested()`` returns True in it.)")
        .def("__repr__", [](const task_t& call) {
            return std::string{"<ArenaTask "} + (call->is_ready() ? "done>" : "pending>");
        });
    task.attr(native_waitable_attribute) = py::reinterpret_steal<py::object>(PyCapsule_New(
        const_cast<native_waitable*>(&arena_call::functions), native_waitable_name, nullptr));
    m.def("stop_requested", &arena_call::is_asked_to_stop,
          R"(stop_requested()
--

Return whether the call running on this thread was cancelled and should stop.

Meaningful in functions that an arena runs; False everywhere else.)");

    const call_signature signature{
        "Arena",
        {{"concurrency", "None", "an int, the number of threads, or None for all cores"},
         {"numa_node", "None", "an int, the index of a NUMA node, or None for anywhere"}}};
    const auto doc = signature.documented(R"(A share of the machine's cores: a TBB task arena.

concurrency: number of threads, from 1; default all cores of the node or machine.
numa_node: index of the NUMA node to stay on; default anywhere.

Raises InvalidOptionError (a ValueError) for a number of threads or a node that the machine does not
have.

>>> arena = pm.Arena(1)
>>> arena.run(pow, 2, 10).result()
1024)");
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

Block until every call on the arena is complete; return whether they are.

timeout: seconds; None for no limit. Inside a call on the arena, waits for the other calls. Ctrl-C ends
the wait, and also a call that this thread is running, which it may do when there is no timeout.)")
        .def_property_readonly("concurrency", &arena::concurrency, "Number of threads.")
        .def_property_readonly(
            "domain", [](const arena& a) { return to_python(a.domain()); },
            "The Domain of cores, which other arenas and OpenCL devices on the same cores share.")
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
