// SPDX-License-Identifier: Apache-2.0
// Lets programs write the type of what a class holds, as in `Submission[int]`.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// Adds `__class_getitem__`, so that `cls[T]` is a `types.GenericAlias`, also as a base class.
inline void make_generic(const pybind11::handle& cls) {
    static PyMethodDef definition{"__class_getitem__", &Py_GenericAlias, METH_O | METH_CLASS,
                                  "Return the class with the type that it holds."};
    auto method = pybind11::reinterpret_steal<pybind11::object>(
        PyDescr_NewClassMethod(reinterpret_cast<PyTypeObject*>(cls.ptr()), &definition));
    if (!method) {
        throw pybind11::error_already_set();
    }
    cls.attr(definition.ml_name) = method;
}

}  // namespace pointsman::python
