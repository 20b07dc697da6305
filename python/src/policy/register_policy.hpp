// SPDX-License-Identifier: Apache-2.0
// What all policies have in Python, whatever their rule.
#pragma once

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "backend/python_backend.hpp"
#include "fairlead/dynamic_selection.hpp"
#include "gil.hpp"
#include "policy/verbs.hpp"

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
        resources.push_back({shared_object{py::reinterpret_borrow<py::object>(resource)},
                             !backend.is_none() || type_runs_functions(resource.ptr())});
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

template <class Policy>
py::class_<Policy> register_policy(py::module_& m, const char* name, const char* doc) {
    const auto documented = std::string{doc} +
                            "\n\nbackend: a ``Backend``, which has the resources and runs the "
                            "work; default the engine's own.";
    py::class_<Policy> cls(m, name, documented.c_str());
    add_verbs<Policy>(cls);
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
