// SPDX-License-Identifier: Apache-2.0
// What this machine has to run work on.
#pragma once

#include <utility>
#include <vector>

#include "pointsman/resource/any_resource.hpp"
#include "pointsman/resource/default_universe.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/default_queues.hpp"
#endif

namespace pointsman {

/// One arena for each NUMA node, then one queue for each distinct OpenCL device, GPUs first.
/// Without an OpenCL driver there are arenas only; a broken driver does not hide the others, and
/// `opencl::driver_warnings` tells of it.
/// **Cost**: at first use the time that drivers take to start.
[[nodiscard]] inline std::vector<any_resource> discover() {
    std::vector<any_resource> found;
    for (auto& arena : default_universe<pointsman::arena>::get()) {
        found.emplace_back(std::move(arena));
    }
#ifndef POINTSMAN_WITHOUT_OPENCL
    for (auto& queue : default_universe<opencl::queue>::get()) {
        found.emplace_back(std::move(queue));
    }
#endif
    return found;
}

/// What `discover()` lists.
template <>
struct default_universe<any_resource> {
    [[nodiscard]] static std::vector<any_resource> get() { return discover(); }
};

}  // namespace pointsman
