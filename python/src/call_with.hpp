// SPDX-License-Identifier: Apache-2.0
// Calls a user-defined hook with the arguments that a task was submitted with.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "passed_arguments.hpp"

namespace pointsman::python {

/// `hook(*leading, *args, **kwargs)`. GIL held.
/// **Throws**: `py::error_already_set` with the exception that the hook raised.
inline py::object call_with(const py::object& hook, std::initializer_list<PyObject*> leading,
                            const passed_arguments& passed) {
    std::vector<PyObject*> slots{nullptr};  // the interpreter may use the first
    slots.insert(slots.end(), leading);
    slots.insert(slots.end(), passed.values,
                 passed.values + passed.by_position + passed.by_keyword());
    const auto by_position = leading.size() + static_cast<std::size_t>(passed.by_position);
    PyObject* const returned =
        PyObject_Vectorcall(hook.ptr(), slots.data() + 1,
                            by_position | PY_VECTORCALL_ARGUMENTS_OFFSET, passed.keywords);
    if (returned == nullptr) {
        throw py::error_already_set{};
    }
    return py::reinterpret_steal<py::object>(returned);
}

}  // namespace pointsman::python
