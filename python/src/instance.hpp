// SPDX-License-Identifier: Apache-2.0
// Finds the C++ value in a Python object, for functions that Python calls without pybind11.
#pragma once

#include <pybind11/pybind11.h>

#include <type_traits>

#include "kept_object.hpp"

namespace pointsman::python {

/// Returns the `T` in an object of T's pybind11 class or a subclass; the caller has checked the class.
/// **Throws**: `py::type_error` if the object's `__init__` was not called.
template <class T>
T& value_in(PyObject* self) {
    const auto* const instance = reinterpret_cast<pybind11::detail::instance*>(self);
    if (instance->simple_layout) [[likely]] {
        if (void* const held = instance->simple_value_holder[0]) [[likely]] {
            return *static_cast<T*>(held);
        }
        throw pybind11::type_error{
            "the object was not made: call super().__init__() in its __init__()"};
    }
    return pybind11::handle{self}.cast<T&>();
}

/// Returns the `T` in an object of T's pybind11 class or a subclass; null for any other object. Avoids
/// pybind11's lookup of the class by type name, which costs more than calling a native method. GIL
/// held.
/// **Throws**: see `value_in`.
template <class T>
T* find_in(PyObject* object) {
    static constinit kept_object cls{[] {
        return pybind11::object{pybind11::type::of<std::remove_const_t<T>>()}.release().ptr();
    }};
    return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(cls.get())) != 0
               ? &value_in<T>(object)
               : nullptr;
}

}  // namespace pointsman::python
