// SPDX-License-Identifier: Apache-2.0
// Converts the argument `wait_for` of commands to the events behind it.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::python {

/// The events in `wait_for`, which is None, an Event or an iterable of Events.
/// **Throws**: `TypeError`.
[[nodiscard]] std::vector<cl::Event> wait_list(pybind11::handle wait_for);

}  // namespace pointsman::python
