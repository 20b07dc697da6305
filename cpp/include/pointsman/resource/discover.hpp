// SPDX-License-Identifier: Apache-2.0
// The resources of this machine: the default set of each kind, joined.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/resource/any_resource.hpp"
#include "pointsman/resource/default_universe.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/resource/opencl/default_queues.hpp"
#endif

namespace pointsman {

/// The default sets of `Kinds` one after another, without the kinds that have none.
template <class... Kinds>
    requires(has_default_universe<Kinds> || ...)
struct default_universe<any_resource_of<Kinds...>> {
    [[nodiscard]] static std::vector<any_resource_of<Kinds...>> get() {
        std::vector<any_resource_of<Kinds...>> found;
        const auto add = [&]<class Kind>(std::type_identity<Kind>) {
            if constexpr (has_default_universe<Kind>) {
                for (auto& resource : default_universe<Kind>::get()) {
                    found.emplace_back(std::move(resource));
                }
            }
        };
        (add(std::type_identity<Kinds>{}), ...);
        return found;
    }
};

/// One arena for each NUMA node, then one queue for each distinct OpenCL device, GPUs first.
/// Without an OpenCL driver, returns only arenas. A broken driver does not hide the others;
/// `opencl::driver_warnings` reports it.
/// **Cost**: the first call waits for the drivers to start.
[[nodiscard]] inline std::vector<any_resource> discover() {
    return default_universe<any_resource>::get();
}

}  // namespace pointsman
