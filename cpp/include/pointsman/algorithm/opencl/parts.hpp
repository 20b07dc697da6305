// SPDX-License-Identifier: Apache-2.0
// Divides an array among the work items or work groups of a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// The division of an array into `count` contiguous parts of `size` values, fewer in the last.
struct item_parts {
    cl_ulong size;
    std::size_t count;
};

/// Divides `count` values, at least one, among work items. If items work alone, as on CPUs, each compute unit
/// gets a few parts, so that no thread waits long for the last part. On other devices, each part has
/// `size_elsewhere` values.
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

/// Divides `count` values into parts of whole tiles, one for each of several work groups per compute unit.
[[nodiscard]] inline item_parts parts_of_tiles(const opencl::queue& where, std::size_t count,
                                               std::size_t tile) {
    const std::size_t wanted = where.device().compute_units() * std::size_t{8};
    const std::size_t tiles = (count + tile - 1) / tile;
    const std::size_t size = (tiles + wanted - 1) / wanted * tile;
    return {size, (count + size - 1) / size};
}

/// The number of work groups that share `count` values, at least one: enough to occupy the whole device, or
/// fewer if there are not enough values for all their work items.
[[nodiscard]] inline std::size_t sharing_groups(const opencl::queue& where, std::size_t count) {
    constexpr std::size_t for_each_unit = 16;
    const std::size_t group = group_size(where);
    return std::min((count + group - 1) / group, where.device().compute_units() * for_each_unit);
}

/// Starts kernel `name` of `text` in at least `items` work items, each in its own group if items work alone.
/// **Throws**: `build_error`, `opencl::error`.
inline void launch_items(const opencl::queue& where, const std::string& text,
                         const std::string& name, std::size_t items,
                         const std::vector<opencl::kernel_argument>& arguments) {
    const std::size_t group = where.items_work_alone() ? 1 : group_size(where);
    launch_groups(where, text, name, (items + group - 1) / group, group, arguments);
}

/// Starts kernel `name` of `text` for `parts` parts: with a work item for each if items work alone, otherwise
/// with a work group of `items`. **Throws**: as `launch_items`.
inline void launch_parts(const opencl::queue& where, const std::string& text,
                         const std::string& name, std::size_t parts, std::size_t items,
                         const std::vector<opencl::kernel_argument>& arguments) {
    where.items_work_alone() ? launch_items(where, text, name, parts, arguments)
                             : launch_groups(where, text, name, parts, items, arguments);
}

}  // namespace pointsman::detail
