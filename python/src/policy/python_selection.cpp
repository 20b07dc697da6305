// SPDX-License-Identifier: Apache-2.0
// Registers Selection and converts the events that Python reports.
#include "policy/python_selection.hpp"

#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "call_signature.hpp"
#include "generic_class.hpp"
#include "guarded.hpp"
#include "native_method.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

struct event {
    std::string_view name;
    execution_info_name info;
    bool has_value;
};
constexpr std::array events{
    event{"task_submission", execution_info_name::task_submission, false},
    event{"task_completion", execution_info_name::task_completion, false},
    event{"task_failure", execution_info_name::task_failure, false},
    event{"task_time", execution_info_name::task_time, true},
    event{"task_time_bound", execution_info_name::task_time_bound, true},
};

const event& event_called(std::string_view name) {
    std::string known;
    for (const event& e : events) {
        if (e.name == name) {
            return e;
        }
        known += (known.empty() ? "" : ", ") + std::string{e.name};
    }
    throw invalid_option{"the event '" + std::string{name} + "' is not known: pass one of " +
                         known};
}

void report(python_selection& selection, std::string_view info, std::optional<double> seconds) {
    const event& e = event_called(info);
    if (e.has_value != seconds.has_value()) {
        throw invalid_option{std::string{info} + (e.has_value ? " has a value: pass its seconds"
                                                              : " has no value: leave it out")};
    }
    const double value = seconds.value_or(0.0);
    if (!(value >= 0.0 && value < 9e9)) {
        throw invalid_option{std::string{info} + " is " + std::to_string(value) +
                             " s: pass a number of seconds from 0"};
    }
    selection.chosen->report(e.info, std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::duration<double>{value}));
}

PyObject* submit(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    return guarded<&translate_error>([&] {
        if (given < 1) {
            throw py::type_error{"pass a callable, which will receive the selected resource"};
        }
        auto& selection = value_in<python_selection>(self);
        const passed_arguments passed{values, given, keywords};
        const python_task task{task_verb::call, passed, selection.policy.ptr()};
        auto work = selection.chosen->submit(selection.policy.ptr(), task);
        return make_submission(std::move(work), task.callable(), task.take_chosen(),
                               selection.policy.ptr(), task.choice());
    });
}

}  // namespace

void register_selection(py::module_& m) {
    py::class_<python_selection> cls(m, "Selection", R"(A resource that a policy has chosen.

Made by ``policy.select``. It counts as load until its work is submitted and complete, a completion is
reported, or it is deleted. A selection of ``Token`` holds one of the resource's tokens for that long. A
notebook keeps the value of a cell in ``Out[]``: submit or report such a selection to release it.

>>> policy = pm.DynamicLoad(["a", "b"])
>>> selection = policy.select()
>>> selection.resource, policy.loads()
('a', [1, 0])
>>> selection.submit(lambda resource, times: resource * times, 3).result()
'aaa')");
    make_generic(cls);
    add_method(cls, "submit", &submit, R"(submit($self, work, /, *args, **kwargs)
--

Call ``work(resource, *args, **kwargs)`` in this thread, with the selected resource; return a ``Submission``.

The first submission takes over the load of the selection; each further submission adds its own.)");
    const call_signature reported{
        "report",
        {{"info", nullptr, "a str, the name of an event"},
         {"seconds", "None", "a number of seconds, or None for an event without a value"}}};
    const auto doc = reported.documented(
        R"(Report to the policy an event of a task that was run without the policy.

info: ``"task_submission"``, ``"task_completion"``, ``"task_failure"``; with ``seconds``,
``"task_time"``, or ``"task_time_bound"`` if the time is only an upper bound. Ignores an event that the
policy does not use. Raises InvalidOptionError for any other ``info``, and UnexpectedReportError for a
``task_completion`` while no task of the selection is outstanding.)",
        "self");
    cls.def(
           "report",
           [reported](python_selection& selection, const py::args& args, const py::kwargs& kwargs) {
               const auto given = reported.bind(args, kwargs);
               report(selection, given.as<std::string>(0),
                      given.get<std::optional<double>>(1, std::nullopt));
           },
           doc.c_str())
        .def(
            "unwrap", [](const python_selection& s) { return s.chosen->resource(); },
            "unwrap(self)\n--\n\nReturn the resource.")
        .def_property_readonly(
            "resource", [](const python_selection& s) { return s.chosen->resource(); },
            "The resource.")
        .def_readonly("policy", &python_selection::policy, "The policy that chose.")
        .def(
            "_repr_html_",
            [](const py::object& selection) {
                const auto& chosen = *selection.cast<const python_selection&>().chosen;
                return py::module_::import("pointsman._tables")
                    .attr("html_of_selection")(selection, chosen.holds_load());
            },
            "_repr_html_(self)\n--\n\nReturn the selection as a table for Jupyter.")
        .def("__repr__", [](const python_selection& s) {
            return py::str("<Selection of {!r} by {}{}>")
                .format(s.chosen->resource(), py::type::of(s.policy).attr("__name__"),
                        s.chosen->holds_load()
                            ? ", counts as load until submitted, reported complete or deleted"
                            : "");
        });
}

}  // namespace pointsman::python
