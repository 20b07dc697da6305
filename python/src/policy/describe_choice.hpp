// SPDX-License-Identifier: Apache-2.0
// What a policy knows of a choice that it has made, as data for pointsman.explanation.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <optional>

#include "backend/task.hpp"
#include "gil.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "rooms.hpp"
#include "submission/choice_record.hpp"

namespace pointsman::python {

/// Stands for a task of which the key is kept.
struct known_task {
    pointsman::task_key key;
    [[nodiscard]] pointsman::task_key task_key() const noexcept { return key; }
};

/// Of each resource, whether a task runs on it. `accepts(resource)` tells.
template <class Resources, class Accepts>
py::list those_that_accept(const Resources& resources, Accepts accepts) {
    py::list among;
    for (const auto& resource : resources) {
        among.append(py::bool_{accepts(resource)});
    }
    return among;
}

/// See `choice_record::describe`.
template <class Policy>
PyObject* describe_choice(PyObject* policy, const choice_record& choice) noexcept {
    return guarded<&translate_error>([&] {
        const Policy& p = value_in<Policy>(policy);
        py::dict known;
        py::list resources;
        for (const auto& resource : p.get_resources()) {
            resources.append(resource.object.get());
        }
        known["resources"] = resources;
        known["index"] = choice.index;
        if (choice.runs) {
            known["runners"] = those_that_accept(p.get_resources(), &runs_functions);
        }
        if (choice.has_refusing_callable()) {
            known["variants"] = those_that_accept(
                p.get_resources(),
                [&](const python_resource& resource) { return accepts(choice.kept, resource); });
        }
        if (choice.recorded > 0) {
            py::list loads;
            for (std::size_t i = 0; i < choice.recorded; ++i) {
                loads.append(choice.loads[i] - (i == choice.index ? 1U : 0U));
            }
            known["loads"] = loads;
        }
        if (choice.has_scores()) {
            known["scores"] = py::handle{choice.kept};
        }
        if constexpr (requires { p.estimates(known_task{choice.key}); }) {
            py::list estimates;
            for (const auto& time : p.estimates(known_task{choice.key})) {
                estimates.append(
                    time ? py::object{py::float_{std::chrono::duration<double>{*time}.count()}}
                         : py::none());
            }
            known["estimates"] = estimates;
            known["measures"] = choice.measures;
        }
        return known.release().ptr();
    });
}

}  // namespace pointsman::python
