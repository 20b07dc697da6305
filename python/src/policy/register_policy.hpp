// SPDX-License-Identifier: Apache-2.0
// What all policies have in Python, whatever their rule.
#pragma once

#include <pybind11/stl.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "backend/python_backend.hpp"
#include "fairlead/dynamic_selection.hpp"
#include "gil.hpp"
#include "guarded.hpp"
#include "policy/task.hpp"
#include "rooms.hpp"
#include "submission/submission.hpp"

namespace fairlead::python {

using resources_t = std::vector<python_resource>;

/// A rule of the engine over resources that are Python objects.
template <template <class, class, class, class...> class Rule>
using over_objects = Rule<python_resource, backend_choice, python_backend>;

/// The given resources, or those of the given backend, or what `fairlead.discover()` finds.
inline resources_t to_resources(const py::object& given, const py::object& backend) {
    const py::object found =
        py::module_::import("fairlead.backend").attr("resources_of")(given, backend);
    resources_t resources;
    for (const auto& resource : py::iter(found)) {
        resources.push_back({shared_object{py::reinterpret_borrow<py::object>(resource)}});
    }
    return resources;
}

/// The policy as a table for Jupyter.
inline py::object html_of_policy(const py::object& policy) {
    return py::module_::import("fairlead.tables").attr("html_of_policy")(policy);
}

inline backend_choice to_choice(const py::object& backend) {
    return backend.is_none() ? backend_choice{} : backend_choice{shared_object{backend}};
}

template <class Submitted>
python_submission to_python(Submitted submission, const python_task& task) {
    retired_references::instance().collect();
    return {static_cast<default_submission<returned_object>&&>(submission), task.chosen()};
}

/// True for a policy whose `submit` may have to wait for a free resource.
template <class Policy>
inline constexpr bool may_wait_v = requires { Policy::state_type::notifies_always; };

/// Waits without the GIL; a signal handler that raises ends the wait.
template <class Policy>
auto submit_when_free(Policy& p, const python_task& task) {
    constexpr auto between_signals = std::chrono::milliseconds{50};
    while (true) {
        try {
            const gil_released others_may_run;
            return p.submit(submit_options{.timeout = between_signals}, task_without_gil{task});
        } catch (const submit_timeout&) {
            if (PyErr_CheckSignals() != 0) {
                throw py::error_already_set();
            }
        }
    }
}

/// GIL held.
template <class Policy>
python_submission submit(Policy& p, const python_task& task) {
    if constexpr (may_wait_v<Policy>) {
        if (auto submission = p.try_submit(task)) {
            return to_python(std::move(*submission), task);
        }
        return to_python(submit_when_free(p, task), task);
    } else {
        return to_python(p.submit(task), task);
    }
}

/// Calls `use(policy, task)` with what Python passes to a method `submit`. pybind11 would take longer
/// to find out what that is than the engine takes for the rest.
template <class Policy, class Use>
PyObject* with_task(PyObject* self, const passed_arguments& passed, Use&& use) {
    return guarded<&translate_error>([&] {
        if (passed.by_position < 1) {
            throw py::type_error{"pass a callable, which will receive the chosen resource"};
        }
        const passed_arguments of_work{passed.values + 1, passed.by_position - 1, passed.keywords};
        const python_task task{passed.values[0], of_work};
        return use(py::handle{self}.cast<Policy&>(), task).release().ptr();
    });
}

template <class Policy>
PyObject* submit_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                        PyObject* keywords) {
    return with_task<Policy>(self, {values, given, keywords},
                             [](Policy& p, const auto& task) { return py::cast(submit(p, task)); });
}

template <class Policy>
PyObject* try_submit_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                            PyObject* keywords) {
    return with_task<Policy>(
        self, {values, given, keywords}, [](Policy& p, const auto& task) -> py::object {
            auto submission = p.try_submit(task);
            return submission ? py::cast(to_python(std::move(*submission), task)) : py::none();
        });
}

template <class Policy>
PyObject* submit_and_wait_method(PyObject* self, PyObject* const* values, Py_ssize_t given,
                                 PyObject* keywords) {
    return with_task<Policy>(self, {values, given, keywords},
                             [](Policy& p, const auto& task) { return submit(p, task).result(); });
}

/// Python keeps the definition for ever.
using native_method = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

inline void add_method(const py::object& cls, const char* name, native_method function,
                       const char* doc) {
    auto* const definition =
        new PyMethodDef{name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
                        METH_FASTCALL | METH_KEYWORDS, doc};
    auto method = py::reinterpret_steal<py::object>(
        PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(cls.ptr()), definition));
    if (!method) {
        throw py::error_already_set{};
    }
    cls.attr(name) = method;
}

template <class Policy>
py::class_<Policy> register_policy(py::module_& m, const char* name, const char* doc) {
    const auto documented = std::string{doc} +
                            "\n\nbackend: a ``Backend``, which has the resources and runs the "
                            "work; default the engine's own.";
    py::class_<Policy> cls(m, name, documented.c_str());
    add_method(cls, "submit", &submit_method<Policy>, R"(submit($self, work, /, *args, **kwargs)
--

Call ``work(resource, *args, **kwargs)`` on the resource that the policy chooses.

Does not wait for what ``work`` returns; returns a ``Submission``. An exception of ``work`` itself is
raised here, and its load is given back.)");
    add_method(cls, "try_submit", &try_submit_method<Policy>,
               R"(try_submit($self, work, /, *args, **kwargs)
--

Like ``submit``, but return ``None`` when no resource is free.)");
    add_method(cls, "submit_and_wait", &submit_and_wait_method<Policy>,
               R"(submit_and_wait($self, work, /, *args, **kwargs)
--

Submit, wait, and return the result, as ``submit(...).result()`` does.)");
    cls.def(py::init([](deferred_initialization_t) { return Policy{deferred_initialization}; }),
            py::arg("deferred"), "Make a policy without resources; call ``initialize`` later.")
        .def(
            "get_resources",
            [](const Policy& p) {
                py::list all;
                for (const auto& resource : p.get_resources()) {
                    all.append(resource.object.get());
                }
                return all;
            },
            "Return the list of resources from which the policy chooses.")
        .def("submission_group", &Policy::get_submission_group,
             "Return an object whose ``wait()`` blocks until all submissions so far are complete.")
        .def("_repr_html_", &html_of_policy);
    return cls;
}

/// Constructors and `initialize` for policies with one option. `convert(option, resources)` gives the
/// engine's value, or throws.
template <class Policy, class Option, class Class, class Convert>
void with_option(Class& cls, const py::arg_v& option, Convert convert) {
    cls.def(py::init([convert](const py::object& resources, const Option& value,
                               const py::object& backend) {
                auto set = to_resources(resources, backend);
                auto converted = convert(value, set);
                return Policy{set, to_choice(backend), std::move(converted)};
            }),
            py::arg("resources") = py::none(), option, py::kw_only(),
            py::arg("backend") = py::none())
        .def(
            "initialize",
            [convert](Policy& p, const py::object& resources, const Option& value,
                      const py::object& backend) {
                auto set = to_resources(resources, backend);
                auto converted = convert(value, set);
                auto choice = to_choice(backend);
                const gil_released resources_may_run_code_when_freed;
                p.initialize(set, std::move(choice), std::move(converted));
            },
            py::arg("resources") = py::none(), option, py::kw_only(),
            py::arg("backend") = py::none(),
            "Replace the set of resources in one step; work in flight keeps the old one alive.");
    if constexpr (requires(const Policy& p) { p.loads(); }) {
        cls.def("loads", &Policy::loads, "Return the outstanding submissions by resource.");
    }
}

}  // namespace fairlead::python
