// SPDX-License-Identifier: Apache-2.0
// Types whose completion is watched through a stand-in, an object written in Python.
#pragma once

#include "gil.hpp"

namespace pointsman::python {

/// Returns the stand-in of `object`, which has `wait`, `done`, `result` or `add_done_callback`; null if
/// `object` is watched directly. **Thread safety**: GIL held.
[[nodiscard]] py::object stand_in_for(const py::object& object);

void register_waitables(py::module_& m);

}  // namespace pointsman::python
