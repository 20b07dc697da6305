// SPDX-License-Identifier: Apache-2.0
// Without OpenCL its executor exists, and cannot be used.
// expect: opencl_executor was not compiled in: install OpenCL's headers
// expect: or use it only where is_executor_available_v is true
#define FAIRLEAD_WITHOUT_OPENCL
#include "fairlead/executor/opencl_executor.hpp"

int main() {
    const fairlead::default_opencl_executor executor;
    static_assert(fairlead::is_executor_v<fairlead::default_opencl_executor>);
    static_assert(!fairlead::is_executor_available_v<fairlead::default_opencl_executor>);
#ifdef FAIRLEAD_BAD
    executor.execute([] {});
#else
    static_cast<void>(executor == fairlead::default_opencl_executor{});
#endif
}
