// SPDX-License-Identifier: Apache-2.0
// Contiguous parts of an array, one for each work item of a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "fairlead/algorithm/opencl_launch.hpp"
#include "fairlead/algorithm/opencl_type.hpp"
#include "fairlead/resource/opencl/queue.hpp"

namespace fairlead::detail {

/// Whether work items do best each by itself: the device, a processor, has no memory for those of a group,
/// and runs them one after the other from one barrier to the next. Each thread remembers it for one device.
[[nodiscard]] inline bool works_alone(const opencl::queue& where) {
    struct answer {
        cl_device_id device = nullptr;
        bool alone = false;
    };
    static thread_local answer last;
    const cl::Device& device = where.device().handle();
    if (last.device != device()) {
        last = {device(), device.getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_GLOBAL};
    }
    return last.alone;
}

/// How an array falls into parts: `size` values in each, fewer in the last.
struct item_parts {
    cl_ulong size;
    std::size_t count;
};

/// Parts of `count` values, at least one: a few for each thread of a processor, so that none waits long for
/// the last, and on other devices as many as there are with no more than `size_elsewhere` values.
[[nodiscard]] inline item_parts parts_of(const opencl::queue& where, std::size_t count,
                                         std::size_t size_elsewhere) {
    constexpr std::size_t for_each_thread = 8;
    constexpr std::size_t worth_an_item = 1024;
    std::size_t size = size_elsewhere;
    if (works_alone(where)) {
        const std::size_t wanted = where.device().compute_units() * for_each_thread;
        size = std::max(worth_an_item, (count + wanted - 1) / wanted);
    }
    return {size, (count + size - 1) / size};
}

/// `count` values in parts of whole tiles, one for each of several groups of a compute unit.
[[nodiscard]] inline item_parts parts_of_tiles(const opencl::queue& where, std::size_t count,
                                               std::size_t tile) {
    const std::size_t wanted = where.device().compute_units() * std::size_t{8};
    const std::size_t tiles = (count + tile - 1) / tile;
    const std::size_t size = (tiles + wanted - 1) / wanted * tile;
    return {size, (count + size - 1) / size};
}

/// In a kernel with parameters `n` and `part`: the places of its work item, from `begin` to `end`. There
/// may be more work items than parts.
inline const std::string places_of_item =
    "    const ulong begin = get_global_id(0) * part;\n"
    "    if (begin >= n) return;\n"
    "    const ulong end = min(begin + part, n);\n";

/// Starts kernel `name` of `text` in at least `items` work items.
/// **Throws**: `build_error`, `opencl::error`.
inline void launch_items(const opencl::queue& where, const std::string& text,
                         const std::string& name, std::size_t items,
                         const std::vector<opencl::kernel_argument>& arguments) {
    const std::size_t group = works_alone(where) ? 1 : group_size(where);
    where.enqueue_with(arguments, where.build(text).kernel(name),
                       {cl::NDRange{(items + group - 1) / group * group}, cl::NDRange{group}});
}

}  // namespace fairlead::detail
