// SPDX-License-Identifier: Apache-2.0
// The default set of OpenCL queues: one for each distinct device.
#pragma once

#include <vector>

#include "pointsman/resource/default_universe.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman {

/// One new queue for each of `opencl::devices()`, in their order. A device on which no queue can be
/// made is skipped.
template <>
struct default_universe<opencl::queue> {
    [[nodiscard]] static std::vector<opencl::queue> get() {
        std::vector<opencl::queue> queues;
        for (const auto& device : opencl::devices()) {
            try {
                queues.emplace_back(device);
            } catch (const opencl::error&) {  // e.g. a device in exclusive use by another process
            }
        }
        return queues;
    }
};

}  // namespace pointsman
