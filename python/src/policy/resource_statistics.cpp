// SPDX-License-Identifier: Apache-2.0
// Makes the entries of `statistics()` and registers their class.
#include "policy/resource_statistics.hpp"

#include <pybind11/stl.h>

#include "kept_object.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

constinit kept_object statistics_list{
    [] { return imported("pointsman._tables", "StatisticsList"); }};

}  // namespace

py::object statistics_of(const std::vector<python_resource>& resources,
                         const std::vector<std::size_t>& loads) {
    const py::object entries = py::handle{statistics_list.get()}();
    for (std::size_t i = 0; i < resources.size(); ++i) {
        const auto seen = resources[i].record->read();
        const py::object entry = py::cast(resource_statistics{
            resources[i], i, loads[i], seen.completed, seen.failed, seen.mean_elapsed});
        if (PyList_Append(entries.ptr(), entry.ptr()) != 0) {
            throw py::error_already_set{};
        }
    }
    return entries;
}

void register_statistics(py::module_& m) {
    py::class_<resource_statistics>(m, "ResourceStatistics",
                                    R"(A policy's counters for one resource.

A snapshot, made by ``policy.statistics()``; counted since the policy was last initialised.

>>> policy = pm.RoundRobin(["a", "b"])
>>> results = [policy.submit_and_wait(lambda resource: resource) for _ in range(3)]
>>> [(entry.resource, entry.completed, entry.load) for entry in policy.statistics()]
[('a', 2, 0), ('b', 1, 0)])")
        .def_property_readonly(
            "resource", [](const resource_statistics& s) { return s.resource.object.get(); },
            "The resource itself.")
        .def_readonly("index", &resource_statistics::index, "Its position in the policy's set.")
        .def_readonly("load", &resource_statistics::load,
                      "Number of outstanding submissions and selections.")
        .def_readonly("completed", &resource_statistics::completed,
                      "Number of successful submissions.")
        .def_readonly("failed", &resource_statistics::failed,
                      "Number of submissions that failed or were cancelled.")
        .def_readonly(
            "mean_elapsed", &resource_statistics::mean_elapsed,
            "Mean seconds from submission to completion of successful ones, or None. Where the "
            "callable itself takes less than some 2 us and returns a complete value, one call in "
            "64 is timed; policies based on ``PolicyBase`` time all.")
        .def_property_readonly(
            "runs_functions",
            [](const resource_statistics& s) { return runs_functions(s.resource); },
            "True if ``run`` and ``map`` can use the resource.")
        .def_property(
            "_scores",
            [](const resource_statistics& s) {
                return s.scores.ptr() == nullptr ? py::object{py::none()} : s.scores.get();
            },
            [](resource_statistics& s, const py::list& scores) {
                s.scores = shared_object{scores};
            },
            "The scores by resource that the rule compared; for ``explain``.")
        .def(
            "_repr_html_",
            [](const py::object& entry) {
                return py::module_::import("pointsman._tables").attr("html_of_statistics")(entry);
            },
            "_repr_html_(self)\n--\n\nReturn the counters as a table for Jupyter.")
        .def("__repr__", [](const resource_statistics& s) {
            return py::str("<ResourceStatistics of {!r}: load {}, completed {}, failed {}>")
                .format(s.resource.object.get(), s.load, s.completed, s.failed);
        });
}

}  // namespace pointsman::python
