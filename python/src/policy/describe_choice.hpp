// SPDX-License-Identifier: Apache-2.0
// Describes a choice that a policy has made as a dictionary, which pointsman._explanation formats.
#pragma once

#include <pybind11/pybind11.h>

#include <cmath>
#include <cstddef>
#include <exception>
#include <string>

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

/// Returns the seconds of a time in nanoseconds; None for an infinite one.
inline py::object seconds_of(float nanoseconds) {
    return std::isfinite(nanoseconds) ? py::object{py::float_{double{nanoseconds} / 1e9}}
                                      : py::none();
}

/// Returns for each recorded resource its time, its score, and whether it was left out as it had failed and
/// whether the time was predicted from other sizes.
inline py::list describe_measured(const binding::measured_record& record) {
    py::list described;
    for (std::size_t i = 0; i < record.size; ++i) {
        const auto [time, score] = record.candidates[i];
        const auto is_in = [i](unsigned bits) { return ((bits >> i) & 1U) != 0; };
        described.append(py::make_tuple(seconds_of(time), seconds_of(score), is_in(record.failing),
                                        is_in(record.from_others)));
    }
    return described;
}

/// Adds the loads, times or scores that the rule compared, and their unit.
template <class Rule>
void describe_scores(py::dict& known, const choice_record& choice) {
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
    if constexpr (records_choices<Rule>) {
        known["measured"] = describe_measured(choice.measured);
        known["unit"] = "seconds";
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
        describe_scores<rule_type>(known, choice);
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
