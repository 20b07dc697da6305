// SPDX-License-Identifier: Apache-2.0
// The name by which logs and tables show a callable.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// Returns the qualified name of the function inside partials, bound methods and wrappers, as a str; the name
/// of the callable's type if it has none. GIL held.
/// **Throws**: `py::error_already_set` with what an attribute of the callable raises.
[[nodiscard]] pybind11::object qualified_name_of(const pybind11::object& callable);

}  // namespace pointsman::python
