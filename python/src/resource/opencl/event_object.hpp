// SPDX-License-Identifier: Apache-2.0
// The Python class Event: a raw type of CPython, since every call of a kernel makes one.
#pragma once

#include <Python.h>

#include "pointsman/resource/opencl/event.hpp"

namespace pointsman::python {

/// A new `Event`. GIL held.
/// **Throws**: `py::error_already_set` when there is no memory.
[[nodiscard]] PyObject* make_event(opencl::event&& event);

/// What an `Event` stands for, the same as long as the object lives; null for any other object.
/// GIL held.
[[nodiscard]] const opencl::event* find_event(PyObject* object) noexcept;

}  // namespace pointsman::python
