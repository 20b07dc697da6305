// SPDX-License-Identifier: Apache-2.0
// The tiles and the text of a radix sort's kernels for devices whose work items share local memory.
#pragma once

#include <cstddef>
#include <string>

#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/radix.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// The keys that a work group sorts at a time in local memory: `each` keys for each of its `items`. `each` is
/// odd, so that work items access different memory banks, and at most 15, so that four bits can count the
/// keys.
struct radix_tile {
    std::size_t items;
    std::size_t each;

    [[nodiscard]] std::size_t size() const noexcept { return items * each; }
};

/// The largest tile for work groups of at most `items` work items, a power of two, with `local_bytes` of
/// local memory.
template <device_value Key, device_value... Values>
[[nodiscard]] constexpr radix_tile radix_tile_within(std::size_t items, std::size_t local_bytes) {
    constexpr std::size_t each = sizeof(Key) == 8 ? 11 : 15;
    constexpr std::size_t origin_bytes = sizeof...(Values) == 0 ? 0 : sizeof(cl_ushort);
    constexpr std::size_t bytes_for_item =
        each * (sizeof(Key) + origin_bytes) + 16 * sizeof(cl_ushort) + 2 * sizeof(cl_uint);
    constexpr std::size_t bytes_for_digits =
        std::size_t{256} * (sizeof(cl_ulong) + 2 * sizeof(cl_ushort));
    while (items > 1 && bytes_for_digits + items * bytes_for_item > local_bytes) {
        items /= 2;
    }
    return {items, each};
}

/// The largest tile for the device of `where`.
template <device_value Key, device_value... Values>
[[nodiscard]] radix_tile radix_tile_of(const opencl::queue& where) {
    return radix_tile_within<Key, Values...>(
        group_size(where), where.device().handle().getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
}

template <device_value Key, device_value... Values>
[[nodiscard]] std::string radix_text_in_groups(const radix_order& order, radix_tile tile) {
    return program_text({}, types_text<Key, Values...>(order) +
                                definitions({{"EACH", std::to_string(tile.each)},
                                             {"ITEMS", std::to_string(tile.items)}}) +
                                kernels::radix_groups);
}

}  // namespace pointsman::detail
