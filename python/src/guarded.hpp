// SPDX-License-Identifier: Apache-2.0
// Turns C++ exceptions into Python exceptions in functions that Python calls without pybind11.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <new>
#include <utility>

namespace pointsman::python {

/// Sets the Python exception for pointsman's own exceptions and rethrows all others.
using exception_translator = void (*)(std::exception_ptr thrown);

/// Sets the Python exception for any C++ exception. GIL held.
inline void set_python_error(exception_translator translate, std::exception_ptr thrown) noexcept {
    try {
        translate(std::move(thrown));
    } catch (pybind11::error_already_set& e) {
        e.restore();
    } catch (const pybind11::builtin_exception& e) {
        e.set_error();
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
    }
}

/// Returns `call()`, or null with the Python exception set if it throws.
template <exception_translator Translate, class Call>
PyObject* guarded(Call&& call) noexcept {
    try {
        return std::forward<Call>(call)();
    } catch (...) {
        set_python_error(Translate, std::current_exception());
        return nullptr;
    }
}

}  // namespace pointsman::python
