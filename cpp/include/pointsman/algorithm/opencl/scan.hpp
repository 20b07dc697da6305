// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and folds by other associative functions, on a device.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/scan_alone.hpp"
#include "pointsman/algorithm/opencl/turns.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail {

/// The values that a work group scans at a time in local memory: `each` consecutive ones for each of its `items`.
struct scan_tile {
    std::size_t items;
    std::size_t each;

    [[nodiscard]] std::size_t size() const noexcept { return items * each; }
    /// The number of values for which the kernels need room: see `GAP` in scan_tile.cl.
    [[nodiscard]] std::size_t room() const noexcept { return size() + size() / 32; }
};

/// The tile for the device of `where`: 32 KiB, or half as much if its local memory is small.
template <device_value T>
[[nodiscard]] scan_tile scan_tile_of(const opencl::queue& where) {
    constexpr std::size_t enough_bytes = 49'152;
    const auto local_bytes = where.device().handle().getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    constexpr std::size_t most_bytes = 16;  // of a value that each item of a whole work group has
    std::size_t items = group_size(where);
    while (items > 1 && items * sizeof(T) > group_items * most_bytes) {
        items /= 2;
    }
    const std::size_t each = sizeof(T) < 8 ? 32 : sizeof(T) == 8 ? 16 : 8;
    return {items, local_bytes >= enough_bytes ? each : each / 2};
}

/// The text of one of the two scan kernels for devices whose work items share local memory.
template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_text(scan_tile tile, const char* kernel) {
    return scan_program<T, F, G, In, Out>(
        definitions({{"EACH", std::to_string(tile.each)}, {"ITEMS", std::to_string(tile.items)}}),
        kernel);
}

/// Enqueues a scan in which each work group has several tiles and reads them twice: first to fold them.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void scan_in_parts(const opencl::queue& where, const std::tuple<computed_values<In>>& from,
                   std::size_t count, const computed_values<Out>& to,
                   const std::optional<T>& initial, scan_kind kind) {
    const scan_tile tile = scan_tile_of<T>(where);
    static text_cache<std::pair<std::size_t, std::size_t>> texts;
    const std::string& text = texts.get({tile.items, tile.each}, [&] {
        return scan_text<T, F, G, iterated_t<In>, iterated_t<Out>>(tile, kernels::scan);
    });
    const item_parts parts = parts_of_tiles(where, count, tile.size());
    const cl_ulong n = count;
    const cl::LocalSpaceArg values = cl::Local(tile.room() * sizeof(T));
    const cl::LocalSpaceArg sums = cl::Local(2 * tile.items * sizeof(T));
    const opencl::pooled_buffer folds = where.take_buffer(parts.count * sizeof(T));
    if (parts.count > 1) {
        launch_groups(where, text, "fold_parts", parts.count, tile.items,
                      arguments_of(from, {n, parts.size, values, sums, folds.handle()}));
    }
    const T begin = initial.value_or(T{});
    const cl_int has_initial = initial ? 1 : 0;
    const cl_int is_exclusive = kind == scan_kind::exclusive ? 1 : 0;
    launch_groups(where, text, "scan_parts", parts.count, tile.items,
                  arguments_of(from, {n, parts.size, values, sums, folds.handle(), begin,
                                      has_initial, is_exclusive, to.memory(), to.offset()}));
}

/// Enqueues a scan in which each work group has one tile and waits for the folds of earlier ones, on a device
/// for which `groups_take_turns`.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void scan_once(const opencl::queue& where, const std::tuple<computed_values<In>>& from,
               std::size_t count, const computed_values<Out>& to, const std::optional<T>& initial,
               scan_kind kind) {
    const scan_tile tile = scan_tile_of<T>(where);
    const std::size_t tiles = (count + tile.size() - 1) / tile.size();
    const std::size_t batches = tiles / std::max(tile.items / 2, std::size_t{1});
    constexpr std::size_t words_of_a_sum = (sizeof(T) + 3) / 4;
    const opencl::pooled_buffer words = take_words(where, 1 + (tiles + batches) * words_of_a_sum);
    const cl_ulong n = count;
    const cl::LocalSpaceArg values = cl::Local(tile.room() * sizeof(T));
    const cl::LocalSpaceArg sums = cl::Local(3 * tile.items * sizeof(T));
    const T begin = initial.value_or(T{});
    const cl_int has_initial = initial ? 1 : 0;
    const cl_int is_exclusive = kind == scan_kind::exclusive ? 1 : 0;
    static text_cache<std::pair<std::size_t, std::size_t>> texts;
    const std::string& text = texts.get({tile.items, tile.each}, [&] {
        return scan_text<T, F, G, iterated_t<In>, iterated_t<Out>>(tile, kernels::scan_once);
    });
    launch_groups(where, text, "scan_tiles", tiles, tile.items,
                  arguments_of(from, {n, words.handle(), values, sums, begin, has_initial,
                                      is_exclusive, to.memory(), to.offset()}));
}

/// Enqueues the scan of `G` of the `count` values at `from`, at least one, to `to`: see `scan_on_device`.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void enqueue_scan(const opencl::queue& where, const std::tuple<computed_values<In>>& from,
                  std::size_t count, const computed_values<Out>& to,
                  const std::optional<T>& initial, scan_kind kind) {
    if (where.items_work_alone()) {
        scan_alone<T, F, G>(where, from, count, to, initial, kind);
    } else if (groups_take_turns(where)) {
        scan_once<T, F, G>(where, from, count, to, initial, kind);
    } else {
        scan_in_parts<T, F, G>(where, from, count, to, initial, kind);
    }
}

/// Scans `G` of the `count` values beginning at `first`, at least one, as `T`s to the range beginning at
/// `out`, after `initial` if there is one; an exclusive scan must have one. Returns the end of the output.
/// Values of half precision are folded as `float`, and each result is rounded once.
template <device_value T, device_function F, device_function G, device_iterator In,
          device_iterator Out>
Out scan_on_device(const opencl::queue& where, In first, std::size_t count, Out out,
                   std::optional<T> initial, scan_kind kind) {
    return opencl::detail::translated([&] {
        const std::tuple<computed_values<In>> from{
            computed_values<In>{where, first, count, computed_values<In>::use::input}};
        computed_values<Out> to{where, out, count, computed_values<Out>::use::output};
        std::optional<computed_t<T>> before;
        if (initial) {
            before = static_cast<computed_t<T>>(*initial);
        }
        enqueue_scan<computed_t<T>, F, G>(where, from, count, to, before, kind);
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

/// Enqueues a scan that replaces each of `numbers` by the sum of the numbers before it, including itself if
/// the scan is inclusive.
inline void enqueue_sums(const opencl::queue& where, const opencl::buffer<std::uint64_t>& numbers,
                         scan_kind kind) {
    using values = computed_values<opencl::buffer_iterator<std::uint64_t>>;
    const std::tuple<values> from{
        values{where, begin(numbers), numbers.size(), values::use::input}};
    const values to{where, begin(numbers), numbers.size(), values::use::output};
    enqueue_scan<std::uint64_t, plus, identity_value>(
        where, from, numbers.size(), to,
        kind == scan_kind::exclusive ? std::optional<std::uint64_t>{0} : std::nullopt, kind);
}

}  // namespace pointsman::detail
