// SPDX-License-Identifier: Apache-2.0
// Tells Python of broken OpenCL drivers.
#pragma once

namespace pointsman::python {

/// Issues a `DriverWarning` for each of `opencl::driver_warnings()`. GIL held.
/// **Throws**: the warning, where the program's filters make an error of it.
void warn_of_drivers();

}  // namespace pointsman::python
