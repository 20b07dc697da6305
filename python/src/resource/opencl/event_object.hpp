// SPDX-License-Identifier: Apache-2.0
// The Python class Event: a plain CPython type, since every kernel call makes one.
#pragma once

#include <Python.h>

#include "pointsman/resource/opencl/event.hpp"

namespace pointsman::python {

/// A new `Event`, whose `result()` is `value`, or the `Event` itself if `value` is null. `value` must not
/// refer to Python objects of the user: the garbage collector does not see it. GIL held.
/// **Throws**: `py::error_already_set` when out of memory.
[[nodiscard]] PyObject* make_event(opencl::event&& event, PyObject* value = nullptr);

/// The event inside an `Event`, valid as long as the object; null for any other object. GIL held.
[[nodiscard]] const opencl::event* find_event(PyObject* object) noexcept;

}  // namespace pointsman::python
