// SPDX-License-Identifier: Apache-2.0
// Contiguous parts of an array, one for each work item of a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

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
    if (where.items_work_alone()) {
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

/// Groups that share `count` values, at least one: as many as keep all of the device at work, or fewer
/// that have a value for each of their items.
[[nodiscard]] inline std::size_t sharing_groups(const opencl::queue& where, std::size_t count) {
    constexpr std::size_t for_each_unit = 16;
    const std::size_t group = group_size(where);
    return std::min((count + group - 1) / group, where.device().compute_units() * for_each_unit);
}

/// Starts kernel `name` of `text` in at least `items` work items.
/// **Throws**: `build_error`, `opencl::error`.
inline void launch_items(const opencl::queue& where, const std::string& text,
                         const std::string& name, std::size_t items,
                         const std::vector<opencl::kernel_argument>& arguments) {
    const std::size_t group = where.items_work_alone() ? 1 : group_size(where);
    launch_groups(where, text, name, (items + group - 1) / group, group, arguments);
}

}  // namespace pointsman::detail
