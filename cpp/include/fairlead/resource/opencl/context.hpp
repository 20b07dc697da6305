// SPDX-License-Identifier: Apache-2.0
// The context that all of fairlead's queues on a device share.
#pragma once

#include <map>
#include <mutex>

#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/device.hpp"

namespace fairlead::opencl {

/// The context of `device`, so that buffers and programs serve every queue on it. Made at first
/// use, which takes tens of milliseconds, and kept until the process ends.
/// **Throws**: `opencl::error`.
/// **Thread safety**: from any thread.
[[nodiscard]] inline cl::Context context_of(const device& device) {
    // Never destroyed: the order of exit between it and a driver is not known.
    static auto* const mutex = new std::mutex;
    static auto* const contexts = new std::map<cl_device_id, cl::Context>;
    std::lock_guard lock{*mutex};
    cl::Context& context = (*contexts)[device.handle()()];
    if (context() == nullptr) {
        context = detail::translated([&] { return cl::Context{device.handle()}; });
    }
    return context;
}

}  // namespace fairlead::opencl
