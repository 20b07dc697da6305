// SPDX-License-Identifier: Apache-2.0
// NumPy arrays as functions of CPython receive them, without the objects of pybind11.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>

namespace pointsman::python {

namespace py = pybind11;
using array = py::detail::PyArray_Proxy;
using py::detail::npy_api;

/// `object` as an array; null unless it is one of exactly the class `numpy.ndarray`.
inline const array* array_of(PyObject* object) {
    const bool is_array = Py_TYPE(object) == npy_api::get().PyArray_Type_;
    return is_array ? reinterpret_cast<const array*>(object) : nullptr;
}

inline const py::detail::PyArrayDescr_Proxy& type_of(const PyObject* dtype) {
    return *reinterpret_cast<const py::detail::PyArrayDescr_Proxy*>(dtype);
}

inline bool is_array_of_numbers(const array& a) {
    switch (type_of(a.descr).kind) {
        case 'b':
        case 'i':
        case 'u':
        case 'f':
        case 'c':
            return a.nd > 0;
        default:
            return false;
    }
}

inline bool is_contiguous(const array& a) {
    return (a.flags & npy_api::NPY_ARRAY_C_CONTIGUOUS_) != 0;
}

inline bool is_contiguous_array_of_numbers(const array& a) {
    return is_array_of_numbers(a) && is_contiguous(a);
}

inline bool have_one_shape(const array& a, const array& b) {
    return a.nd == b.nd && std::equal(a.dimensions, a.dimensions + a.nd, b.dimensions);
}

/// Returns true for contiguous arrays of numbers of one shape; `b` may be None.
inline bool are_contiguous_arrays_of_numbers(PyObject* a, PyObject* b) {
    const array* const first = array_of(a);
    if (first == nullptr || !is_contiguous_array_of_numbers(*first)) {
        return false;
    }
    const array* const second = array_of(b);
    return b == Py_None || (second != nullptr && is_contiguous_array_of_numbers(*second) &&
                            have_one_shape(*first, *second));
}

/// A function for `PyMethodDef` with METH_FASTCALL.
inline PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

}  // namespace pointsman::python
