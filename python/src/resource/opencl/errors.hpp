// SPDX-License-Identifier: Apache-2.0
// OpenCL's errors as Python exceptions.
#pragma once

#include <exception>

#include "fairlead/resource/opencl/error.hpp"

namespace fairlead::python {

/// Sets the Python exception `fairlead.OpenCLError` for `error`. GIL held.
void set_python_error(const opencl::error& error);

/// Sets the Python exception of the OpenCL room's exceptions and lets others out. GIL held.
void translate_opencl_error(std::exception_ptr thrown);

}  // namespace fairlead::python
