// SPDX-License-Identifier: Apache-2.0
// Types whose work is seen through another object, written in Python.
#pragma once

#include "gil.hpp"

namespace pointsman::python {

/// The object with `wait`, `done`, `result` or `add_done_callback` that stands for the work behind
/// `object`; null when `object` speaks for itself. **Thread safety**: GIL held.
[[nodiscard]] py::object stand_in_for(const py::object& object);

void register_waitables(py::module_& m);

}  // namespace pointsman::python
