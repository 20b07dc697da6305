// SPDX-License-Identifier: Apache-2.0
// OpenCL's errors as Python exceptions.
#pragma once

#include "fairlead/resource/opencl/error.hpp"

namespace fairlead::python {

/// Sets the Python exception `fairlead.OpenCLError` for `error`. GIL held.
void set_python_error(const opencl::error& error);

}  // namespace fairlead::python
