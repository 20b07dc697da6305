// SPDX-License-Identifier: Apache-2.0
// In a build without OpenCL, opencl_executor exists as a type but cannot be used.
// expect: opencl_executor was not compiled in: install OpenCL's headers
// expect: or use it only where is_executor_available_v is true
#define POINTSMAN_WITHOUT_OPENCL
#include "pointsman/executor/opencl_executor.hpp"

int main() {
    const pointsman::default_opencl_executor executor;
    static_assert(pointsman::is_executor_v<pointsman::default_opencl_executor>);
    static_assert(!pointsman::is_executor_available_v<pointsman::default_opencl_executor>);
#ifdef POINTSMAN_BAD
    executor.execute([] {});
#else
    static_cast<void>(executor == pointsman::default_opencl_executor{});
#endif
}
