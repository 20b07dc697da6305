// SPDX-License-Identifier: Apache-2.0
// Moves the values of an array to other indices of it or of another array on a device.
#pragma once

#include <cstddef>

#include "pointsman/algorithm/opencl/engine/elementwise.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"

namespace pointsman::detail {

/// Enqueues a copy of the first `count` values of `from` to `to`; offsets are in values. The two must not
/// overlap.
template <device_value T>
void enqueue_values(const opencl::queue& where, const engine::array& from, const engine::array& to,
                    std::size_t count) {
    engine::enqueue_copy(where, {from.memory, from.offset * sizeof(T)},
                         {to.memory, to.offset * sizeof(T)}, count * sizeof(T));
}

/// Enqueues a copy of the `count` values of `from`, at least one, to `to`, in reverse.
template <device_iterator In, device_value Out>
void enqueue_reversed(const opencl::queue& where, const device_values<In>& from,
                      const engine::array& to, std::size_t count) {
    using value = iterated_t<In>;
    static const engine::elementwise kernel{
        {"",
         {engine::element_of<value>()},
         "",
         as_text<value, Out>(value_at<value>("v0", "n - 1 - i")),
         {},
         true},
        engine::element_of<Out>()};
    const engine::array source = array_from(from);
    kernel.enqueue(where, {&source, 1}, to, count);
}

/// Calls `enqueue(values, scratch)`, which writes new values to the indices [`begin`, `end`) of the array
/// `scratch`, and copies these over the same indices of the `count` values beginning at `first`, at least one.
template <device_iterator It, class Enqueue>
void rewrite_on_device(const opencl::queue& where, It first, std::size_t count, std::size_t begin,
                       std::size_t end, const Enqueue& enqueue) {
    using value = iterated_t<It>;
    opencl::detail::translated([&] {
        auto values = input_values(where, first, count);
        const opencl::pooled_buffer memory = where.take_buffer(count * sizeof(value));
        const cl::Buffer& scratch = memory.handle();
        enqueue(values, scratch);
        enqueue_values<value>(where, {scratch, begin}, array_from(values, begin), end - begin);
        values.fetch();
    });
}

}  // namespace pointsman::detail
