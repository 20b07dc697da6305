// SPDX-License-Identifier: Apache-2.0
// Adds methods to pybind11 classes that CPython calls directly, without pybind11's dispatch.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// `values` holds the positional arguments, then the keyword arguments, whose names are the tuple
/// `keywords`.
using native_method = PyObject* (*)(PyObject * self, PyObject* const* values,
                                    Py_ssize_t by_position, PyObject* keywords);

/// Adds a method. Its definition is never freed.
inline void add_method(const pybind11::object& cls, const char* name, native_method function,
                       const char* doc) {
    auto* const definition =
        new PyMethodDef{name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
                        METH_FASTCALL | METH_KEYWORDS, doc};
    auto method = pybind11::reinterpret_steal<pybind11::object>(
        PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(cls.ptr()), definition));
    if (!method) {
        throw pybind11::error_already_set();
    }
    cls.attr(name) = method;
}

}  // namespace pointsman::python
