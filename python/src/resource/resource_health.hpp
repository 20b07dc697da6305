// SPDX-License-Identifier: Apache-2.0
// Converts between the engine's health of a resource and that of pointsman._health, in seconds.
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "pointsman/resource/resource_health.hpp"

namespace pointsman::python {

namespace py = pybind11;

/// Returns the settings and the function `is_resource_failure` of a `HealthSettings`, or the defaults for
/// None. GIL held.
/// **Throws**: `py::type_error` for another object; `invalid_option` for a value out of range.
[[nodiscard]] std::pair<health_settings, py::object> to_health_settings(const py::object& given);

/// Returns the state, the failures in a row, the text of the last one, and the seconds until a probe. GIL
/// held.
[[nodiscard]] py::tuple to_python(const resource_health& health);

}  // namespace pointsman::python
