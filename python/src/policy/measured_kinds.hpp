// SPDX-License-Identifier: Apache-2.0
// Converts what a measuring policy has learnt to Python.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstddef>
#include <optional>

#include "tuning/kind_names.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Returns the time in seconds, or None.
inline py::object to_seconds(const std::optional<std::chrono::nanoseconds>& time) {
    return time ? py::object{py::float_{std::chrono::duration<double>{*time}.count()}} : py::none();
}

/// Returns for each of the most used kinds its name, the identity of its callable, and for each resource how
/// often it was timed, the mean in seconds, and some of the timings, each as the number of the run and seconds.
/// GIL held.
template <class State>
py::list measured_kinds(const State& state, std::size_t most) {
    py::list kinds;
    for (const auto& kind : state.most_used_kinds(most)) {
        py::list timings;
        for (const auto& [count, mean, history] : kind.resources) {
            py::list kept;
            for (const auto& [run, nanoseconds] : history.kept()) {
                kept.append(py::make_tuple(run, nanoseconds / 1e9));
            }
            timings.append(py::make_tuple(count, to_seconds(mean), kept));
        }
        kinds.append(py::make_tuple(kind_names::instance().name_of(kind.key),
                                    kind.key.callable | task_key::stable_mark, timings));
    }
    return kinds;
}

}  // namespace pointsman::python
