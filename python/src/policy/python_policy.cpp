// SPDX-License-Identifier: Apache-2.0
// Calls the user-defined `try_select` and records statistics; registers CustomPolicy.
#include "policy/python_policy.hpp"

#include <string>
#include <utility>

#include "backend/call_with.hpp"
#include "policy/register_policy.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// Returns true if `left == right` in Python; objects that cannot be compared are not equal.
bool is_equal(const py::object& left, const py::object& right) {
    const int answer = PyObject_RichCompareBool(left.ptr(), right.ptr(), Py_EQ);
    if (answer < 0) {
        PyErr_Clear();
    }
    return answer == 1;
}

/// Returns a new reference to the scores that a rule compared; null if the rule returned none.
PyObject* scores_of(const py::object& found) {
    return py::isinstance<resource_statistics>(found)
               ? shared_object{found.cast<const resource_statistics&>().scores}.release()
               : nullptr;
}

py::list to_list(const std::vector<resource_statistics>& all) {
    py::list entries;
    for (const auto& each : all) {
        entries.append(py::cast(each));
    }
    return entries;
}

void register_statistics(py::module_& m) {
    py::class_<resource_statistics>(m, "ResourceStatistics",
                                    R"(A policy's counters for one resource.

A snapshot, made by ``PolicyBase.statistics``; counted since the policy was last initialised.

>>> policy = pm.ScoredPolicy(lambda stats: stats.load, ["a", "b"])
>>> results = [policy.submit_and_wait(lambda resource: resource) for _ in range(3)]
>>> [(entry.resource, entry.completed, entry.load) for entry in policy.statistics()]
[('a', 2, 0), ('b', 1, 0)])")
        .def_property_readonly(
            "resource", [](const resource_statistics& s) { return s.resource.object.get(); },
            "The resource itself.")
        .def_readonly("index", &resource_statistics::index, "Its position in the policy's set.")
        .def_readonly("load", &resource_statistics::load, "Number of outstanding submissions.")
        .def_readonly("completed", &resource_statistics::completed,
                      "Number of successful submissions.")
        .def_readonly("failed", &resource_statistics::failed, "Number of submissions that failed.")
        .def_readonly("mean_elapsed", &resource_statistics::mean_elapsed,
                      "Mean seconds from submission to completion of successful ones, or None.")
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
        .def("__repr__", [](const resource_statistics& s) {
            return py::str("<ResourceStatistics of {!r}: load {}, completed {}, failed {}>")
                .format(s.resource.object.get(), s.load, s.completed, s.failed);
        });
}

void initialize(const py::object& self, const bound_arguments& given) {
    auto& policy = self.cast<python_policy&>();
    const py::object backend = given.get(1);
    auto set = to_resources(given.get(0), backend);
    auto choice = to_choice(backend);
    shared_object owner{py::weakref{self}};
    const gil_released resources_may_run_code_when_freed;
    policy.initialize(set, std::move(choice), std::move(owner));
}

}  // namespace

python_policy::state_type::state_type(const std::vector<python_resource>& resources,
                                      shared_object owner)
    : resources_{resources},
      owner_{std::move(owner)},
      records_{std::make_unique<record[]>(resources.size())} {}

void python_policy::state_type::learn(const choice& chosen, std::chrono::nanoseconds time,
                                      bool) noexcept {
    record& seen = of(chosen);
    seen.elapsed += time.count();
    ++seen.completed;
}

std::vector<resource_statistics> python_policy::state_type::statistics() const {
    std::vector<resource_statistics> all;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
        const record& seen = records_[i];
        const auto completed = seen.completed.load();
        const auto elapsed = static_cast<double>(seen.elapsed.load()) * 1e-9;
        all.push_back({resources_[i], i, seen.load.load(), completed, seen.failed.load(),
                       completed == 0 ? std::nullopt
                                      : std::optional{elapsed / static_cast<double>(completed)}});
    }
    return all;
}

std::optional<python_policy::state_type::choice> python_policy::state_type::ask(
    const python_task& task) {
    const gil_acquired gil;
    const py::object policy = owner_.get()();
    const py::object work = task.work();
    const py::object found = call_with(policy.attr("try_select"), {work.ptr()}, task.arguments());
    if (found.is_none()) {
        return std::nullopt;
    }
    if (const auto index = index_of(found)) {
        ++records_[*index].load;
        task.choice().keep_scores(scores_of(found));
        return choice{*index};
    }
    if (!is_set_of(policy)) {
        return std::nullopt;  // the set was replaced meanwhile: the engine asks again
    }
    throw foreign_resource{std::string{py::str("try_select returned {!r}").format(found)} +
                           ", which is not in the policy's set of " +
                           std::to_string(resources_.size()) +
                           ": return one of self.get_resources(), or None"};
}

/// If an object is in the set several times, returns the index with the least load.
std::optional<std::size_t> python_policy::state_type::index_of(const py::object& found) const {
    if (py::isinstance<resource_statistics>(found)) {
        const auto& entry = found.cast<const resource_statistics&>();
        if (entry.index < resources_.size() &&
            resources_[entry.index].object.ptr() == entry.resource.object.ptr()) {
            return entry.index;
        }
        return std::nullopt;
    }
    std::optional<std::size_t> same;
    std::optional<std::size_t> equal;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
        if (resources_[i].object.ptr() == found.ptr()) {
            same = !same || records_[i].load < records_[*same].load ? i : *same;
        } else if (!same && !equal && is_equal(resources_[i].object.get(), found)) {
            equal = i;
        }
    }
    return same ? same : equal;
}

bool python_policy::state_type::is_set_of(const py::object& policy) const {
    return policy.cast<const python_policy&>().is_current(*this);
}

void register_python_policy(py::module_& m) {
    register_statistics(m);
    const call_signature signature{"initialize", {resources_parameter, backend_parameter}};
    register_policy<python_policy>(m, "CustomPolicy", "The engine under ``pointsman.PolicyBase``.")
        .def(py::init(
            [](deferred_initialization_t) { return python_policy{deferred_initialization}; }))
        .def(
            "initialize",
            [signature](const py::object& self, const py::args& args, const py::kwargs& kwargs) {
                initialize(self, signature.bind(args, kwargs));
            },
            documented_initialize(signature).c_str())
        .def(
            "statistics", [](const python_policy& p) { return to_list(p.statistics()); },
            "statistics(self)\n--\n\n"
            "Return a ``ResourceStatistics`` for each resource, in the order of the set.")
        .def(
            "loads",
            [](const python_policy& p) {
                std::vector<std::size_t> loads;
                for (const auto& each : p.statistics()) {
                    loads.push_back(each.load);
                }
                return loads;
            },
            "loads(self)\n--\n\nReturn the number of outstanding submissions of each resource.")
        .def(
            "notify", [](const python_policy& p) { p.notify(); },
            "notify(self)\n--\n\n"
            "Wake every ``submit`` that waits because ``try_select`` returned None.");
}

}  // namespace pointsman::python
