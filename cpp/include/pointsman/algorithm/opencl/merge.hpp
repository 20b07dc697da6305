// SPDX-License-Identifier: Apache-2.0
// Merges two sorted arrays on a device, each work item or group a part of the output.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// The part of the output that a work group merges in local memory, unless work items work alone: `each` values for
/// each of its `items`. `each` is odd, so that work items access different memory banks.
template <device_value A, device_value B, device_value Out>
struct merge_tile {
    static constexpr std::size_t largest =
        std::max({sizeof(computed_t<A>), sizeof(computed_t<B>), sizeof(computed_t<Out>)});
    static constexpr std::size_t each = largest < 8 ? 15 : largest == 8 ? 7 : largest <= 16 ? 3 : 1;
    std::size_t items;

    [[nodiscard]] std::size_t size() const noexcept { return items * each; }
    /// The words of local memory for the tile's values of both arrays, and later for the output.
    [[nodiscard]] std::size_t room() const noexcept { return size() * largest / 8 + 2; }
};

template <device_function Compare, device_value A, device_value B, device_value Out>
[[nodiscard]] std::string merge_text(bool alone, const merge_tile<A, B, Out>& tile) {
    static_assert(
        alike<A, Out> && alike<B, Out>,
        "tuples are merged with tuples of the same types, to the same types: copy one of the "
        "ranges first");
    using compare = called_t<Compare, A, B>;
    return program_text({compare::opencl_source()},
                        definitions({{"a_t", opencl_type<A>()},
                                     {"b_t", opencl_type<B>()},
                                     {"out_t", opencl_type<Out>()},
                                     {"GOES_FIRST", name_of<compare>()},
                                     {"EACH", std::to_string(tile.each)},
                                     {"ITEMS", std::to_string(tile.items)},
                                     {"ROOM", std::to_string(tile.room())}}) +
                            (alone ? kernels::merge : kernels::merge_groups));
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
        const bool alone = where.items_work_alone();
        const merge_tile<iterated_t<A>, iterated_t<B>, iterated_t<Out>> tile{group_size(where)};
        static text_cache<std::pair<bool, std::size_t>> texts;
        const std::string& text =
            texts.get({alone, tile.items}, [&] { return merge_text<Compare>(alone, tile); });
        const cl_ulong n_a = size_a;
        const cl_ulong n_b = size_b;
        const cl_ulong n = count;
        const item_parts parts = parts_of(where, count, tile.size());
        launch_parts(where, text, "merge_part", parts.count, tile.items,
                     arguments_of(from, {n_a, n_b, n, parts.size, to.memory(), to.offset()}));
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

}  // namespace pointsman::detail
