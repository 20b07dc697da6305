// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays on a device, each work item a part of the output.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>

#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

template <device_function Compare, device_value A, device_value B, device_value Out>
[[nodiscard]] std::string merge_text() {
    return program_text({Compare::opencl_source()},
                        definitions({{"a_t", opencl_type<A>()},
                                     {"b_t", opencl_type<B>()},
                                     {"out_t", opencl_type<Out>()},
                                     {"GOES_FIRST", name_of<Compare>()}}) +
                            kernels::merge);
}

/// Merges the `size_a` values at `a` and the `size_b` values at `b`, at least one each, into the range
/// beginning at `out`. Returns the end of the output.
template <device_function Compare, device_iterator A, device_iterator B, device_iterator Out>
Out merge_on_device(const opencl::queue& where, A a, std::size_t size_a, B b, std::size_t size_b,
                    Out out) {
    return opencl::detail::translated([&] {
        const std::tuple<computed_values<A>, computed_values<B>> from{
            computed_values<A>{where, a, size_a, computed_values<A>::use::input},
            computed_values<B>{where, b, size_b, computed_values<B>::use::input}};
        const std::size_t count = size_a + size_b;
        computed_values<Out> to{where, out, count, computed_values<Out>::use::output};
        static const std::string text =
            merge_text<Compare, iterated_t<A>, iterated_t<B>, iterated_t<Out>>();
        const cl_ulong n_a = size_a;
        const cl_ulong n_b = size_b;
        const cl_ulong n = count;
        const item_parts parts = parts_of(where, count, 16);
        launch_items(where, text, "merge_part", parts.count,
                     arguments_of(from, {n_a, n_b, n, parts.size, to.memory(), to.offset()}));
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

}  // namespace pointsman::detail
