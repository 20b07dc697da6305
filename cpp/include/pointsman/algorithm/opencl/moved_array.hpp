// SPDX-License-Identifier: Apache-2.0
// The arrays that the passes of a sort move to and fro.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// An array that each pass of the sort moves from one memory to another; then the two are swapped.
struct moved_array {
    std::size_t size_bytes;
    cl::Buffer from;
    cl_ulong at_from;
    cl::Buffer to;
    cl_ulong at_to;

    void swap() {
        std::swap(from, to);
        std::swap(at_from, at_to);
    }
};

/// Sorts `arrays` of `count` values each, at first the keys, by one digit of `Key` after the other, beginning
/// with the lowest: `move(arrays, shift)` enqueues the pass by the eight bits from `shift` on.
template <device_value Key, std::invocable<std::vector<moved_array>&, const cl_uint&> Move>
void sort_by_digits(const opencl::queue& where, std::size_t count, std::vector<moved_array>& arrays,
                    Move move) {
    for (cl_uint shift = 0; shift < sizeof(Key) * 8; shift += 8) {
        move(arrays, shift);
        for (moved_array& array : arrays) {
            array.swap();
        }
    }
    if (sizeof(Key) % 2 != 0) {
        for (const moved_array& array : arrays) {
            const std::size_t value_size = array.size_bytes / count;
            where.handle().enqueueCopyBuffer(array.from, array.to, array.at_from * value_size,
                                             array.at_to * value_size, array.size_bytes);
        }
    }
}

/// The arguments with which each pass moves the values of `arrays` after their keys.
inline void add_values(std::vector<opencl::kernel_argument>& arguments,
                       const std::vector<moved_array>& arrays) {
    for (std::size_t i = 1; i < arrays.size(); ++i) {
        arguments.insert(arguments.end(),
                         {arrays[i].from, arrays[i].at_from, arrays[i].to, arrays[i].at_to});
    }
}

}  // namespace pointsman::detail
