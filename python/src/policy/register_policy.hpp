// SPDX-License-Identifier: Apache-2.0
// What all policies have in Python, whatever their rule.
#pragma once

#include <pybind11/stl.h>

#include <utility>
#include <vector>

#include "fairlead/dynamic_selection.hpp"
#include "gil.hpp"
#include "policy/verbs.hpp"

namespace fairlead::python {

using resources_t = std::vector<python_resource>;

/// The given resources, or what `fairlead.discover()` finds.
inline resources_t to_resources(const py::object& given) {
    const py::object found =
        given.is_none() ? py::object(py::module_::import("fairlead").attr("discover")()) : given;
    resources_t resources;
    for (const auto& resource : py::iter(found)) {
        resources.push_back({shared_object{py::reinterpret_borrow<py::object>(resource)}});
    }
    return resources;
}

template <class Policy>
py::class_<Policy> register_policy(py::module_& m, const char* name, const char* doc) {
    py::class_<Policy> cls(m, name, doc);
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
             "Return an object whose ``wait()`` blocks until all submissions so far are complete.");
    return cls;
}

/// Constructors and `initialize` for policies with one option. `convert(option, resources)` gives the
/// engine's value, or throws.
template <class Policy, class Option, class Class, class Convert>
void with_option(Class& cls, const py::arg_v& option, Convert convert) {
    cls.def(py::init([convert](const py::object& resources, const Option& value) {
                auto set = to_resources(resources);
                auto converted = convert(value, set);
                return Policy{set, std::move(converted)};
            }),
            py::arg("resources") = py::none(), option)
        .def(
            "initialize",
            [convert](Policy& p, const py::object& resources, const Option& value) {
                auto set = to_resources(resources);
                auto converted = convert(value, set);
                const gil_released resources_may_run_code_when_freed;
                p.initialize(set, std::move(converted));
            },
            py::arg("resources") = py::none(), option,
            "Replace the set of resources in one step; work in flight keeps the old one alive.");
    if constexpr (requires(const Policy& p) { p.loads(); }) {
        cls.def("loads", &Policy::loads, "Return the outstanding submissions by resource.");
    }
}

}  // namespace fairlead::python
