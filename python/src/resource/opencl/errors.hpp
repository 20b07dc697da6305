// SPDX-License-Identifier: Apache-2.0
// OpenCL's errors as Python exceptions.
#pragma once

#include <exception>

namespace pointsman::python {

/// Sets the Python exception of the OpenCL room's exceptions and lets others out. GIL held.
void translate_opencl_error(std::exception_ptr thrown);

}  // namespace pointsman::python
