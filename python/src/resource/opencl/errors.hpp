// SPDX-License-Identifier: Apache-2.0
// Declares the translation of OpenCL exceptions to the classes of pointsman.error.
#pragma once

#include <exception>

namespace pointsman::python {

/// Sets the Python exception for an exception of pointsman's OpenCL code; rethrows any other. GIL held.
void translate_opencl_error(std::exception_ptr thrown);

}  // namespace pointsman::python
