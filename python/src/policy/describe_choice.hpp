// SPDX-License-Identifier: Apache-2.0
// Describes a choice that a policy has made as a dictionary, which pointsman._explanation formats.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>

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

/// Returns the rule's choice, as far as the record allows to restore it.
template <class Rule>
typename Rule::choice recalled(Rule& rule, const choice_record& choice) {
    if constexpr (requires {
                      rule.recall(choice.index, choice.measures, known_task{choice.key});
                  }) {
        return rule.recall(choice.index, choice.measures, known_task{choice.key});
    } else {
        return {choice.index};
    }
}

/// Adds the loads, estimates or scores that `rule` compared, and their unit.
template <class Rule>
void describe_scores(py::dict& known, Rule& rule, const choice_record& choice) {
    if (choice.recorded > 0) {
        py::list loads;
        for (std::size_t i = 0; i < choice.recorded; ++i) {
            loads.append(choice.loads[i] - (i == choice.index ? 1U : 0U));
        }
        known["loads"] = loads;
    }
    if constexpr (compares_loads<Rule>) {
        known["unit"] = "submissions";
    }
    if constexpr (requires { rule.estimates(known_task{choice.key}); }) {
        py::list estimates;
        for (const auto& time : rule.estimates(known_task{choice.key})) {
            estimates.append(
                time ? py::object{py::float_{std::chrono::duration<double>{*time}.count()}}
                     : py::none());
        }
        known["estimates"] = estimates;
        known["unit"] = "seconds";
    }
    if (choice.has_scores()) {
        known["scores"] = py::handle{choice.kept};
        known["unit"] = "score";
    }
}

/// See `choice_record::describe`.
template <class Policy>
PyObject* describe_choice(PyObject* policy, const choice_record& choice) noexcept {
    return guarded<&translate_error>([&] {
        const auto current = value_in<Policy>(policy).current();
        const auto& all = current->set->resources;
        py::dict known;
        py::list resources;
        for (const auto& resource : all) {
            resources.append(resource.object.get());
        }
        known["resources"] = resources;
        known["index"] = choice.index;
        if (choice.index >= all.size()) {
            return known.release().ptr();
        }
        auto& rule = current->set->state;
        known["reason"] = binding::reason_for(rule, recalled(rule, choice));
        describe_scores(known, rule, choice);
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
