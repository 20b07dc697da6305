// SPDX-License-Identifier: Apache-2.0
// Registers the four policies: the engine's own, over resources that are Python objects.
#include <pybind11/stl.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fairlead/dynamic_selection.hpp"
#include "policy/task.hpp"
#include "rooms.hpp"
#include "submission/submission.hpp"

namespace fairlead::python {
namespace {

using resources_t = std::vector<python_resource>;

/// The given resources, or what `fairlead.discover()` finds.
resources_t to_resources(const py::object& given) {
    const py::object found =
        given.is_none() ? py::object(py::module_::import("fairlead").attr("discover")()) : given;
    resources_t resources;
    for (const auto& resource : py::iter(found)) {
        resources.push_back({shared_object{py::reinterpret_borrow<py::object>(resource)}});
    }
    return resources;
}

std::size_t to_index(py::ssize_t index, std::size_t size) {
    if (size == 0) {
        throw empty_resource_set{};
    }
    if (index < 0) {
        throw resource_index_error{index, size};
    }
    return static_cast<std::size_t>(index);
}

std::chrono::nanoseconds to_duration(double seconds) {
    if (!std::isfinite(seconds) || seconds > 9e9) {
        throw invalid_option{"resample_time is " + std::to_string(seconds) +
                             " s: pass 0 (never) or a positive number of seconds"};
    }
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>{seconds});
}

template <class Submitted>
python_submission to_python(Submitted submission, const python_task& task) {
    return {static_cast<default_submission<returned_object>&&>(submission), task.chosen()};
}

template <class Policy>
py::class_<Policy> register_policy(py::module_& m, const char* name, const char* doc) {
    py::class_<Policy> cls(m, name, doc);
    cls.def(py::init([](deferred_initialization_t) { return Policy{deferred_initialization}; }),
            py::arg("deferred"), "Make a policy without resources; call ``initialize`` later.")
        .def(
            "submit",
            [](Policy& p, const py::object& work, const py::args& args, const py::kwargs& kwargs) {
                const python_task task{work, args, kwargs};
                return to_python(p.submit(task), task);
            },
            py::arg("work"), py::pos_only(),
            R"(Call ``work(resource, *args, **kwargs)`` on the resource that the policy chooses.

Does not wait for what ``work`` returns; returns a ``Submission``. An exception of ``work`` itself is
raised here, and its load is given back.)")
        .def(
            "try_submit",
            [](Policy& p, const py::object& work, const py::args& args,
               const py::kwargs& kwargs) -> std::optional<python_submission> {
                const python_task task{work, args, kwargs};
                auto submission = p.try_submit(task);
                if (!submission) {
                    return std::nullopt;
                }
                return to_python(std::move(*submission), task);
            },
            py::arg("work"), py::pos_only(),
            "Like ``submit``, but return ``None`` when no resource is free.")
        .def(
            "submit_and_wait",
            [](Policy& p, const py::object& work, const py::args& args, const py::kwargs& kwargs) {
                const python_task task{work, args, kwargs};
                return to_python(p.submit(task), task).result();
            },
            py::arg("work"), py::pos_only(),
            "Submit, wait, and return the result, as ``submit(...).result()`` does.")
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

/// Constructors and initialize for policies whose option is an index.
template <class Policy, class Class>
void with_index(Class& cls, const char* option) {
    cls.def(py::init([](const py::object& resources, py::ssize_t index) {
                auto set = to_resources(resources);
                const auto offset = to_index(index, set.size());
                return Policy{set, offset};
            }),
            py::arg("resources") = py::none(), py::arg(option) = 0)
        .def(
            "initialize",
            [](Policy& p, const py::object& resources, py::ssize_t index) {
                auto set = to_resources(resources);
                const auto offset = to_index(index, set.size());
                const py::gil_scoped_release resources_may_run_code_when_freed;
                p.initialize(set, offset);
            },
            py::arg("resources") = py::none(), py::arg(option) = 0,
            "Replace the set of resources in one step; work in flight keeps the old one alive.");
}

void register_auto_tune(py::module_& m) {
    using policy_type = auto_tune_policy<python_resource>;
    auto cls = register_policy<policy_type>(
        m, "AutoTune", R"(Measures each kind of task on each resource, then uses the best.

resources: iterable of any objects; default ``fairlead.discover()``.
resample_time: seconds after which everything is measured again; 0 for never.

Each resource runs a kind of task twice before the choice; the first run is warm-up. What counts as
the same kind: the code of ``work``, and for each argument the power of two of its size (bytes of an
array, length of a container, magnitude of an integer).)");
    cls.def(py::init([](const py::object& resources, double resample_time) {
                return policy_type{to_resources(resources), to_duration(resample_time)};
            }),
            py::arg("resources") = py::none(), py::arg("resample_time") = 0.0)
        .def(
            "initialize",
            [](policy_type& p, const py::object& resources, double resample_time) {
                const auto set = to_resources(resources);
                const auto duration = to_duration(resample_time);
                const py::gil_scoped_release resources_may_run_code_when_freed;
                p.initialize(set, duration);
            },
            py::arg("resources") = py::none(), py::arg("resample_time") = 0.0,
            "Replace the set of resources in one step and forget what was measured.")
        .def("loads", &policy_type::loads, "Return the outstanding submissions by resource.");
}

}  // namespace

void register_policies(py::module_& m) {
    py::class_<deferred_initialization_t>(m, "DeferredInitialization",
                                          "Type of ``deferred_initialization``.");
    m.attr("deferred_initialization") = deferred_initialization;

    using fixed = fixed_resource_policy<python_resource>;
    auto fixed_class =
        register_policy<fixed>(m, "FixedResource", R"(Always chooses the resource at ``index``.

resources: iterable of any objects; default ``fairlead.discover()``.)");
    with_index<fixed>(fixed_class, "index");

    using round_robin = round_robin_policy<python_resource>;
    auto round_robin_class = register_policy<round_robin>(
        m, "RoundRobin", R"(Takes the resources in turn, beginning with the one at ``offset``.

resources: iterable of any objects; default ``fairlead.discover()``.)");
    with_index<round_robin>(round_robin_class, "offset");

    using dynamic_load = dynamic_load_policy<python_resource>;
    auto dynamic_load_class = register_policy<dynamic_load>(
        m, "DynamicLoad", R"(Chooses the resource with the fewest outstanding submissions.

resources: iterable of any objects; default ``fairlead.discover()``. Ties rotate, beginning with the
resource at ``offset``.)");
    with_index<dynamic_load>(dynamic_load_class, "offset");
    dynamic_load_class.def("loads", &dynamic_load::loads,
                           "Return the outstanding submissions by resource.");
    register_auto_tune(m);
}

}  // namespace fairlead::python
