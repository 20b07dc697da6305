// SPDX-License-Identifier: Apache-2.0
// Copies values within a device's memory, or between host and device.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>

#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// Copies `count` values, at least one, from `first` to `out`, and blocks until complete. A copy between
/// contiguous host memory and a buffer needs no intermediate copy on the device.
/// **Throws**: `opencl::error`, `invalid_option`.
template <device_iterator In, device_iterator Out>
    requires std::same_as<iterated_t<In>, iterated_t<Out>>
void copy_on_device(const opencl::queue& where, In first, std::size_t count, Out out) {
    using inputs = device_values<In>;
    using outputs = device_values<Out>;
    opencl::detail::translated([&] {
        end_overtaking(where);
        if constexpr (std::contiguous_iterator<In> && is_buffer_iterator<Out>) {
            const outputs to{where, out, count, outputs::use::output};
            write_to_device(where, std::to_address(first), to.bytes(), host_values_for(where));
        } else if constexpr (is_buffer_iterator<In> && std::contiguous_iterator<Out>) {
            const inputs from{where, first, count, inputs::use::input};
            read_from_device(where, from.bytes(), std::to_address(out), host_values_for(where));
        } else {
            const inputs from{where, first, count, inputs::use::input};
            outputs to{where, out, count, outputs::use::output};
            engine::enqueue_copy(where, {from.memory(), from.bytes().offset_bytes},
                                 {to.memory(), to.bytes().offset_bytes}, from.size_bytes());
            to.fetch();
        }
    });
}

}  // namespace pointsman::detail
