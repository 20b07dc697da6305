// SPDX-License-Identifier: Apache-2.0
// Calls the user-defined `try_select` and registers CustomPolicy.
#include "policy/python_policy.hpp"

#include <string>
#include <utility>

#include "call_with.hpp"
#include "policy/register_policy.hpp"
#include "policy/resource_statistics.hpp"
#include "rooms.hpp"

namespace pointsman::python {
namespace {

/// Returns a new reference to the scores that a rule compared; null if the rule returned none.
PyObject* scores_of(const py::object& found) {
    return py::isinstance<resource_statistics>(found)
               ? shared_object{found.cast<const resource_statistics&>().scores}.release()
               : nullptr;
}

void initialize(const py::object& self, const bound_arguments& given) {
    auto& policy = self.cast<python_policy&>();
    const py::object backend = given.get(1);
    auto set = to_resources(given.get(0), backend, given.get(2), true);
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
      loads_{std::make_unique<std::atomic<std::size_t>[]>(resources.size())} {}

std::vector<std::size_t> python_policy::state_type::loads() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
        all.push_back(loads_[i].load());
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
        ++loads_[*index];
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
            same = !same || loads_[i] < loads_[*same] ? i : *same;
        } else if (!same && !equal && are_equal(resources_[i].object.ptr(), found.ptr())) {
            equal = i;
        }
    }
    return same ? same : equal;
}

bool python_policy::state_type::is_set_of(const py::object& policy) const {
    return policy.cast<const python_policy&>().is_current(*this);
}

void register_python_policy(py::module_& m) {
    const call_signature signature{"initialize",
                                   {resources_parameter, backend_parameter, health_parameter}};
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
            "notify", [](const python_policy& p) { p.notify(); },
            "notify(self)\n--\n\n"
            "Wake every ``submit`` that waits because ``try_select`` returned None.");
}

}  // namespace pointsman::python
