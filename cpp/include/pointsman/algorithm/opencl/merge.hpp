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
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/queue.hpp"

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

/// The largest tile for work groups of at most `items` work items, a power of two, with `local_bytes` of local memory.
template <device_value A, device_value B, device_value Out>
[[nodiscard]] merge_tile<A, B, Out> merge_tile_within(std::size_t items, std::size_t local_bytes) {
    constexpr std::size_t bytes_for_indices = 2 * sizeof(cl_ulong);
    merge_tile<A, B, Out> tile{items};
    while (tile.items > 1 && tile.room() * 8 + bytes_for_indices > local_bytes) {
        tile.items /= 2;
    }
    return tile;
}

/// The largest tile for the device of `where`.
template <device_value A, device_value B, device_value Out>
[[nodiscard]] merge_tile<A, B, Out> merge_tile_of(const opencl::queue& where) {
    return merge_tile_within<A, B, Out>(
        group_size(where), where.device().handle().getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
}

/// The text of `kernel`, which merges an `A` and a `B` by `Order` of these.
template <device_function Order, device_value A, device_value B, device_value Out>
[[nodiscard]] std::string merge_text(const merge_tile<A, B, Out>& tile, const std::string& kernel) {
    return program_text({Order::opencl_source()},
                        definitions({{"a_t", opencl_type<A>()},
                                     {"b_t", opencl_type<B>()},
                                     {"out_t", opencl_type<Out>()},
                                     {"GOES_FIRST", name_of<Order>()},
                                     {"EACH", std::to_string(tile.each)},
                                     {"ITEMS", std::to_string(tile.items)},
                                     {"ROOM", std::to_string(tile.room())}}) +
                            kernel);
}

/// Merges the `size_a` values at `a` and the `size_b` values at `b`, at least one each, into the range
/// beginning at `out`. Returns the end of the output.
template <device_function Compare, device_iterator A, device_iterator B, device_iterator Out>
Out merge_on_device(const opencl::queue& where, A a, std::size_t size_a, B b, std::size_t size_b,
                    Out out) {
    using first = iterated_t<A>;
    using second = iterated_t<B>;
    using merged = iterated_t<Out>;
    static_assert(
        alike<first, merged> && alike<second, merged>,
        "tuples are merged with tuples of the same types, to the same types: copy one of the "
        "ranges first");
    return opencl::detail::translated([&] {
        const std::tuple<computed_values<A>, computed_values<B>> from{
            computed_values<A>{where, a, size_a, computed_values<A>::use::input},
            computed_values<B>{where, b, size_b, computed_values<B>::use::input}};
        const std::size_t count = size_a + size_b;
        computed_values<Out> to{where, out, count, computed_values<Out>::use::output};
        const bool alone = where.items_work_alone();
        const auto tile = merge_tile_of<first, second, merged>(where);
        static text_cache<std::pair<bool, std::size_t>> texts;
        const std::string& text = texts.get({alone, tile.items}, [&] {
            return merge_text<called_t<Compare, first, second>>(
                tile, alone ? kernels::merge : kernels::merge_groups);
        });
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
