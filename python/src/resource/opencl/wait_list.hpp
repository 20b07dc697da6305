// SPDX-License-Identifier: Apache-2.0
// The events that a command waits for.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::python {

/// Those of `wait_for`: None, an Event or an iterable of them.
/// **Throws**: `TypeError`.
[[nodiscard]] std::vector<cl::Event> wait_list(pybind11::handle wait_for);

}  // namespace pointsman::python
