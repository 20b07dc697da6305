// SPDX-License-Identifier: Apache-2.0
// Numbers for the names of Python objects in traces.
#pragma once

#include <Python.h>

#include <cstdint>

namespace pointsman::python {

// An object whose name cannot be found, since its own code raised, has the name of its type. GIL held.

/// The qualified name of the function inside `callable`.
[[nodiscard]] std::uint32_t number_of_callable_name(PyObject* callable) noexcept;
/// The repr of a resource; distinct for objects with the same repr.
[[nodiscard]] std::uint32_t number_of_resource_name(PyObject* resource) noexcept;
/// The name of the class of a policy.
[[nodiscard]] std::uint32_t number_of_class_name(PyObject* policy) noexcept;

}  // namespace pointsman::python
