// SPDX-License-Identifier: Apache-2.0
// Registers Arena and ArenaTask.
#include "fairlead/resource/arena.hpp"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "gil.hpp"
#include "rooms.hpp"
#include "submission/native_waitable.hpp"

namespace fairlead::python {
namespace {

/// An exception of a Python callable, on its way from a thread of the arena to a waiting one.
struct python_error {
    shared_object exception;
};

using task_t = arena_task<shared_object>;

/// A callable with its arguments, to be run on a thread of the arena.
class deferred_call {
  public:
    deferred_call(py::object f, py::args args, py::kwargs kwargs)
        : f_{std::move(f)}, args_{std::move(args)}, kwargs_{std::move(kwargs)} {}

    shared_object operator()() {
        const gil_if_alive gil;
        if (!gil) {
            throw std::runtime_error{"the interpreter was shutting down before the task began"};
        }
        try {
            return shared_object{py::reinterpret_steal<py::object>(
                checked(PyObject_Call(f_.ptr(), args_.ptr(), kwargs_.ptr())))};
        } catch (py::error_already_set& error) {
            py::object exception = py::reinterpret_borrow<py::object>(error.value());
            if (error.trace()) {
                PyException_SetTraceback(exception.ptr(), error.trace().ptr());
            }
            throw python_error{shared_object{std::move(exception)}};
        }
    }

  private:
    static PyObject* checked(PyObject* result) {
        if (result == nullptr) {
            throw py::error_already_set{};
        }
        return result;
    }

    shared_object f_;
    shared_object args_;
    shared_object kwargs_;
};

py::object result(const task_t& task) {
    try {
        {
            const gil_released others_may_run;
            task.wait();
        }
        return task.get().get();
    } catch (const python_error& error) {
        PyObject* exception = error.exception.ptr();
        PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception)), exception);
        throw py::error_already_set{};
    }
}

void wait_quietly(const task_t& task) {
    try {
        task.wait();
    } catch (...) {  // the error is for result()
    }
}

const native_waitable task_functions{
    .acquire = [](PyObject* object) -> void* {
        return new task_t{py::handle{object}.cast<const task_t&>()};
    },
    .release = [](void* task) noexcept { delete static_cast<task_t*>(task); },
    .on_completion =
        [](void* task, completion_callback callback) {
            static_cast<task_t*>(task)->on_completion(callback);
        },
    .is_ready = [](void* task) { return static_cast<task_t*>(task)->is_ready(); },
    .wait = [](void* task) { wait_quietly(*static_cast<task_t*>(task)); },
    .outcome = [](void* task) noexcept { return static_cast<task_t*>(task)->outcome(); },
};

}  // namespace

void register_arena(py::module_& m) {
    py::class_<task_t> task(m, "ArenaTask", "A call that runs on an arena; made by ``Arena.run``.");
    task.def("wait", &wait_quietly, py::call_guard<gil_released>(),
             "Block until the call is over. Its exception comes out of ``result()``.")
        .def("result", &result,
             "Block until the call is over and return its value, or raise its exception.")
        .def("done", &task_t::is_ready, "Return whether the call is over. Never blocks.");
    task.attr(native_waitable_attribute) = py::reinterpret_steal<py::object>(PyCapsule_New(
        const_cast<native_waitable*>(&task_functions), native_waitable_name, nullptr));

    py::class_<arena>(m, "Arena", R"(A share of the machine's cores: a TBB task arena.

concurrency: number of threads, from 1; default all cores of the node or machine.
numa_node: index of the NUMA node to stay on; default anywhere.

Raises InvalidOptionError (a ValueError) for values that the machine does not have.)")
        .def(py::init<std::optional<int>, std::optional<int>>(),
             py::arg("concurrency") = py::none(), py::arg("numa_node") = py::none())
        .def(
            "run",
            [](const arena& a, py::object f, py::args args, py::kwargs kwargs) {
                return a.run(deferred_call{std::move(f), std::move(args), std::move(kwargs)});
            },
            py::arg("f"), py::pos_only(),
            "Start ``f(*args, **kwargs)`` on the arena and return an ``ArenaTask``.")
        .def("wait", &arena::wait, py::call_guard<gil_released>(),
             "Block until everything that was run on the arena is over.")
        .def_property_readonly("concurrency", &arena::concurrency, "Number of threads.")
        .def_property_readonly("numa_node", &arena::numa_node,
                               "Index of the arena's NUMA node, or None.")
        .def("__repr__", [](const arena& a) {
            const auto node = a.numa_node();
            return "Arena(concurrency=" + std::to_string(a.concurrency()) +
                   (node ? ", numa_node=" + std::to_string(*node) : std::string{}) + ")";
        });

    m.def(
        "_default_arenas", [] { return default_universe<arena>::get(); },
        "Return one arena for each NUMA node of the machine.");
}

}  // namespace fairlead::python
