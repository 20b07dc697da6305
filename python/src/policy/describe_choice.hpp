// SPDX-License-Identifier: Apache-2.0
// Describes a choice that a policy has made as a dictionary, which pointsman._explanation formats.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "backend/task.hpp"
#include "gil.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "pointsman/binding/policy.hpp"
#include "rooms.hpp"
#include "submission/choice_record.hpp"

namespace pointsman::python {

/// Represents a task of which only the key was stored.
struct known_task {
    pointsman::task_key key;
    [[nodiscard]] pointsman::task_key task_key() const noexcept { return key; }
};

/// Returns `accepts(resource)`, which is true if a task runs on the resource, for each resource.
template <class Resources, class Accepts>
py::list acceptances(const Resources& resources, Accepts accepts) {
    py::list accepted;
    for (const auto& resource : resources) {
        accepted.append(py::bool_{accepts(resource)});
    }
    return accepted;
}

/// Returns for each resource the pair of its score, None if there is none, and its state. `Score` is the type
/// of the scores in Python.
template <class Score>
py::list described(const std::vector<binding::choice_state>& states) {
    py::list all;
    for (const auto& [score, text] : states) {
        all.append(
            py::make_tuple(score ? py::object{Score{py::float_{*score}}} : py::none(), text));
    }
    return all;
}

/// Adds what the rule compared of `size` resources and its unit, or else the resources' loads.
template <class Rule>
void describe_compared(py::dict& known, const choice_record& choice, std::size_t size) {
    const std::span<const std::uint32_t> loads{choice.loads.data(), choice.recorded};
    if constexpr (records_choices<Rule>) {
        known["compared"] = described<py::float_>(binding::states_by_time(choice.measured, size));
        known["unit"] = "seconds";
    } else if constexpr (compares_loads<Rule>) {
        known["compared"] = described<py::int_>(binding::states_by_load(loads, choice.index, size));
        known["unit"] = "submissions";
    } else {
        known["compared"] =
            described<py::int_>(binding::states_by_nothing(loads, choice.index, size));
    }
    if (choice.has_scores()) {
        known["scores"] = py::handle{choice.kept};
        known["unit"] = "score";
    }
}

/// Returns the reason for a choice among the resources of the current set.
template <class Rule>
std::string reason_of(const Rule& rule, const choice_record& choice) {
    if constexpr (records_choices<Rule>) {
        return Rule::explain(choice.index, choice.measured);
    } else {
        return binding::reason_for(rule, typename Rule::choice{choice.index});
    }
}

/// See `choice_record::describe`. Does not say anything about resources that have been replaced since.
template <class Policy>
PyObject* describe_choice(PyObject* policy, const choice_record& choice) noexcept {
    return guarded<&translate_error>([&] {
        const auto current = value_in<Policy>(policy).current();
        using rule_type = typename Policy::state_type;
        const auto& all = current->set->resources;
        const bool is_current =
            choice.index < all.size() && all[choice.index].set_number == choice.set_number;
        py::dict known;
        if (is_current || records_choices<rule_type>) {
            known["reason"] = reason_of(current->set->state, choice);
        }
        if (!is_current) {
            return known.release().ptr();
        }
        py::list resources;
        for (const auto& resource : all) {
            resources.append(resource.object.get());
        }
        known["resources"] = resources;
        known["index"] = choice.index;
        describe_compared<rule_type>(known, choice, all.size());
        if ((choice.in_quarantine | choice.tried) != 0) {
            known["left_out"] = py::make_tuple(choice.in_quarantine, choice.tried);
        }
        if (choice.runs) {
            known["runners"] = acceptances(all, &runs_functions);
        }
        if (choice.has_refusing_callable()) {
            known["variants"] = acceptances(all, [&](const python_resource& resource) {
                return accepts(choice.kept, resource);
            });
        }
        return known.release().ptr();
    });
}

}  // namespace pointsman::python
