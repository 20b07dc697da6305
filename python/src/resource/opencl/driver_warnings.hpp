// SPDX-License-Identifier: Apache-2.0
// Reports broken OpenCL drivers as Python warnings, which programs can filter.
#pragma once

namespace pointsman::python {

/// Issues a `DriverWarning` for each of `opencl::driver_warnings()`. GIL held.
/// **Throws**: the warning, if the program's filters turn it into an error.
void warn_of_drivers();

}  // namespace pointsman::python
