// SPDX-License-Identifier: Apache-2.0
// Whether an object has an attribute, or a method.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// Returns true if `object` has the attribute `name`; it has not if its `__getattr__` raises any error, which
/// Python 3.13's own function would report as ignored. GIL held.
inline bool has_attribute(pybind11::handle object, PyObject* name) {
#if PY_VERSION_HEX >= 0x030D0000
    PyObject* value = nullptr;
    const int found = PyObject_GetOptionalAttr(object.ptr(), name, &value);
    Py_XDECREF(value);
    if (found < 0) {
        PyErr_Clear();
    }
    return found > 0;
#else
    return PyObject_HasAttr(object.ptr(), name) == 1;
#endif
}

/// Like the other, for a name that is not kept. **Throws**: `py::error_already_set` without memory for it.
inline bool has_attribute(pybind11::handle object, const char* name) {
    return has_attribute(object, pybind11::str{name}.ptr());
}

/// Returns true if `object` has an attribute `name` that can be called: one that holds a value says nothing about what
/// the object is. **Throws**: like `has_attribute`.
inline bool has_method(pybind11::handle object, const char* name) {
    const pybind11::str key{name};
    if (!has_attribute(object, key.ptr())) {
        return false;
    }
    const auto found =
        pybind11::reinterpret_steal<pybind11::object>(PyObject_GetAttr(object.ptr(), key.ptr()));
    if (!found) {  // it was there before
        PyErr_Clear();
        return false;
    }
    return PyCallable_Check(found.ptr()) != 0;
}

}  // namespace pointsman::python
