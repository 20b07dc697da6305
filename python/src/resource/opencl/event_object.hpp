// SPDX-License-Identifier: Apache-2.0
// The Python class Event: a plain CPython type, since every kernel call makes one.
#pragma once

#include <Python.h>

#include "pointsman/resource/opencl/event.hpp"

namespace pointsman::python {

/// A new `Event`. GIL held.
/// **Throws**: `py::error_already_set` when out of memory.
[[nodiscard]] PyObject* make_event(opencl::event&& event);

/// The event inside an `Event`, valid as long as the object; null for any other object. GIL held.
[[nodiscard]] const opencl::event* find_event(PyObject* object) noexcept;

}  // namespace pointsman::python
