// SPDX-License-Identifier: Apache-2.0
// Makes the entries of `statistics()` and registers their class.
#include "policy/resource_statistics.hpp"

#include <pybind11/stl.h>

#include "kept_object.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

constinit kept_object statistics_class{
    [] { return imported("pointsman._statistics", "PolicyStatistics"); }};

}  // namespace

py::object statistics_of(const std::vector<python_resource>& resources,
                         const std::vector<std::size_t>& loads) {
    const py::object entries = py::handle{statistics_class.get()}();
    for (std::size_t i = 0; i < resources.size(); ++i) {
        const auto seen = resources[i].record->read();
        const py::object entry = py::cast(resource_statistics{
            resources[i], i, loads[i], seen.completed, seen.failed, seen.mean_elapsed, seen.times});
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
        .def_property_readonly(
            "submissions",
            [](const resource_statistics& s) { return s.completed + s.failed + s.load; },
            "Number of submissions, be they outstanding, successful or failed.")
        .def_readonly("completed", &resource_statistics::completed,
                      "Number of successful submissions.")
        .def_readonly("failed", &resource_statistics::failed,
                      "Number of submissions that failed or were cancelled.")
        .def_readonly(
            "mean_elapsed", &resource_statistics::mean_elapsed,
            "Mean seconds from submission to completion of successful ones, or None. Where the "
            "callable itself takes less than some 2 us and returns a complete value, one call in "
            "64 is timed, and one in 8 where it takes less than some 20 us; policies based on "
            "``PolicyBase`` time all.")
        .def_property_readonly(
            "median_elapsed",
            [](const resource_statistics& s) { return to_seconds(s.times.median); },
            "Median of the times of which ``mean_elapsed`` is the mean, in seconds, within 1.6 %; "
            "or None.")
        .def_property_readonly(
            "p95_elapsed", [](const resource_statistics& s) { return to_seconds(s.times.p95); },
            "Seconds than which 95 % of these times were no longer, within 1.6 %; or None.")
        .def_property_readonly(
            "busy", [](const resource_statistics& s) { return to_seconds(s.times.busy); },
            "Seconds during which at least one submission was outstanding. A call that returned a "
            "complete\nvalue counts once it has returned, pending work from its submission on.")
        .def_property_readonly("utilisation", &resource_statistics::utilisation,
                               "``busy`` as a share of the time since the policy was initialised.")
        .def_property_readonly(
            "waited", [](const resource_statistics& s) { return to_seconds(s.times.waited); },
            "Seconds that pending work did not receive of the resource, since other work of the "
            "policy ran\nthere; all submissions together. ``Domain`` says how much runs at a "
            "time.")
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
                return py::module_::import("pointsman._statistics").attr("html_of_resource")(entry);
            },
            "_repr_html_(self)\n--\n\nReturn the counters as a table for Jupyter.")
        .def("__repr__", [](const resource_statistics& s) {
            return py::str("<ResourceStatistics of {!r}: load {}, completed {}, failed {}>")
                .format(s.resource.object.get(), s.load, s.completed, s.failed);
        });
}

}  // namespace pointsman::python
