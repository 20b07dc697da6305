// SPDX-License-Identifier: Apache-2.0
// Radix sort of keys on a device whose work groups may wait for each other: each pass reads keys once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/moved_array.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/radix.hpp"
#include "pointsman/algorithm/opencl/turns.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// The number of work items of the device of `where` that are known to run in step and to see each other's
/// bits: 32 on NVIDIA's GPUs, otherwise 1.
[[nodiscard]] inline std::size_t warp_size(const opencl::queue& where) {
    constexpr cl_device_info capability_major = 0x4000;  // CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
    constexpr cl_uint volta = 7;
    const cl::Device& device = where.device().handle();
    const auto extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    if (extensions.find("cl_nv_device_attribute_query") == extensions.npos) {
        return 1;
    }
    cl_uint major = 0;
    device.getInfo(capability_major, &major);
    return major >= volta ? 32 : 1;
}

/// Sorts `count` keys, at least one and at most `most`. One kernel counts the digits of all passes; then in
/// each pass a work group moves the keys of one tile, as soon as it knows how many of each digit the
/// earlier tiles have. Keys of the same digit keep their order.
template <device_value Key, device_value... Values>
class radix_sort_once {
  public:
    static constexpr std::size_t most =
        (std::size_t{1} << 30) - 1;            // the kernel's words count so far
    static constexpr std::size_t items = 256;  // of a work group

    /// `warp` is the device's `warp_size`.
    radix_sort_once(const opencl::queue& where, std::size_t count, const radix_order& order,
                    std::size_t warp)
        : where_{where},
          n_{static_cast<cl_uint>(count)},
          tiles_{(count + tile - 1) / tile},
          text_{text(order, warp)},
          words_{where.take_buffer(words_bytes())},
          counts_{where.take_buffer(counts_bytes)} {}

    /// Returns true if the device of `where`, with warps of `warp` work items, runs the kernels.
    [[nodiscard]] static bool can_run(const opencl::queue& where, std::size_t warp) {
        constexpr std::size_t others = 64;  // bytes
        const std::size_t local_bytes =
            room_bytes(warp) + (2 * items + digits) * sizeof(cl_uint) + others;
        return where.device().max_work_group_size() >= items &&
               local_bytes <= where.device().handle().getInfo<CL_DEVICE_LOCAL_MEM_SIZE>() &&
               groups_take_turns(where);
    }

    /// Enqueues the sort of `arrays`: first the keys, then the values.
    void sort(std::vector<moved_array>& arrays) {
        count(arrays[0]);
        sort_by_digits<Key>(where_, n_, arrays,
                            [&](const auto& moved, const cl_uint& shift) { move(moved, shift); });
    }

  private:
    static constexpr std::size_t digits = 256;  // of eight bits
    static constexpr std::size_t largest = std::max({sizeof(Key), sizeof(Values)...});
    static constexpr bool is_light = sizeof(Key) <= 4 && sizeof...(Values) == 0;
    static constexpr std::size_t each = is_light ? 24 : 14;  // keys of a work item
    static constexpr std::size_t tile = items * each;
    static constexpr std::size_t passes = sizeof(Key);
    static constexpr std::size_t counts_bytes = passes * digits * sizeof(cl_uint);

    /// Room for the numbers of each warp's digits, and later for one array of the tile.
    [[nodiscard]] static constexpr std::size_t room_bytes(std::size_t warp) {
        return std::max(items / warp * digits * sizeof(cl_uint), tile * largest);
    }

    [[nodiscard]] static std::string text(const radix_order& order, std::size_t warp) {
        return program_text(
            {}, types_text<Key, Values...>(order) +
                    definitions({{"PASSES", std::to_string(passes)},
                                 {"EACH", std::to_string(each)},
                                 {"ITEMS", std::to_string(items)},
                                 {"WARP", std::to_string(warp)},
                                 {"ROOM", std::to_string(room_bytes(warp) / sizeof(cl_ulong))}}) +
                    kernels::radix_once);
    }

    [[nodiscard]] std::size_t words_bytes() const {
        return (1 + tiles_) * digits * sizeof(cl_uint);
    }

    void count(const moved_array& keys) {
        fill_with_zeros(where_, counts_, counts_bytes);
        const cl_ulong n = n_;
        launch_groups(where_, text_, "count_digits", parts_of_tiles(where_, n_, tile).count, items,
                      {keys.from, keys.at_from, n, counts_.handle()});
    }

    void move(const std::vector<moved_array>& arrays, const cl_uint& shift) {
        fill_with_zeros(where_, words_, words_bytes());
        const moved_array& keys = arrays[0];
        std::vector<opencl::kernel_argument> arguments{keys.from, keys.at_from,     n_,
                                                       shift,     counts_.handle(), words_.handle(),
                                                       keys.to,   keys.at_to};
        add_values(arguments, arrays);
        launch_groups(where_, text_, "move_keys", tiles_, items, arguments);
    }

    opencl::queue where_;
    cl_uint n_;
    std::size_t tiles_;
    std::string text_;
    opencl::pooled_buffer words_;
    opencl::pooled_buffer counts_;
};

}  // namespace pointsman::detail
