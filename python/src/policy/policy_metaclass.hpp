// SPDX-License-Identifier: Apache-2.0
// The metaclass of policies, which refuses objects whose base class was not initialised.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

namespace py = pybind11;

/// Returns the metaclass. A derived class whose `__init__` has not called that of its base raises a
/// TypeError that names the derived class and says what to write. GIL held.
[[nodiscard]] py::handle policy_metaclass();

}  // namespace pointsman::python
