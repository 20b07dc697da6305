// SPDX-License-Identifier: Apache-2.0
// Methods of CPython's own kind on classes of pybind11.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// Called with the arguments by position, then those by keyword, whose names the tuple holds.
using native_method = PyObject* (*)(PyObject * self, PyObject* const* values,
                                    Py_ssize_t by_position, PyObject* keywords);

/// Adds a method; Python keeps its definition for ever.
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
