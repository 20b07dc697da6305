// SPDX-License-Identifier: Apache-2.0
// OpenCL's errors as Python exceptions.
#pragma once

#include <Python.h>

#include <exception>
#include <utility>

#include "fairlead/resource/opencl/error.hpp"

namespace fairlead::python {

/// Sets the Python exception `fairlead.OpenCLError` for `error`. GIL held.
void set_python_error(const opencl::error& error);

/// Sets the Python exception for any C++ exception. GIL held.
void set_python_error(std::exception_ptr thrown) noexcept;

/// `call()`, for functions that Python calls without pybind11: null with the Python exception set
/// when it throws.
template <class Call>
PyObject* guarded(Call&& call) noexcept {
    try {
        return std::forward<Call>(call)();
    } catch (...) {
        set_python_error(std::current_exception());
        return nullptr;
    }
}

}  // namespace fairlead::python
