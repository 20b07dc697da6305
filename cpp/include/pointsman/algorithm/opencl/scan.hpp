// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and folds by other associative functions, on a device.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/scan_alone.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail {

/// The number of consecutive values in a tile that one work item scans.
template <device_value T>
inline constexpr std::size_t scanned_each = sizeof(T) == 8 ? 8 : 16;

template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_text(std::size_t items) {
    return program_text({F::opencl_source(), G::opencl_source()},
                        scan_types_and_functions<T, F, G, In, Out>() +
                            definitions({{"EACH", std::to_string(scanned_each<T>)},
                                         {"ITEMS", std::to_string(items)}}) +
                            kernels::scan);
}

/// Enqueues the scan of `G` of the `count` values at `from`, at least one, to `to`: see `scan_on_device`.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void enqueue_scan(const opencl::queue& where, const std::tuple<computed_values<In>>& from,
                  std::size_t count, const computed_values<Out>& to,
                  const std::optional<T>& initial, scan_kind kind) {
    if (where.items_work_alone()) {
        scan_alone<T, F, G>(where, from, count, to, initial, kind);
        return;
    }
    const std::size_t group = group_size(where);
    const std::string text = scan_text<T, F, G, iterated_t<In>, iterated_t<Out>>(group);
    const item_parts parts = parts_of_tiles(where, count, group * scanned_each<T>);
    const cl_ulong n = count;
    const cl::LocalSpaceArg tile = cl::Local(group * (scanned_each<T> + 1) * sizeof(T));
    const cl::LocalSpaceArg sums = cl::Local(2 * group * sizeof(T));
    const opencl::pooled_buffer folds = where.take_buffer(parts.count * sizeof(T));
    if (parts.count > 1) {
        launch(where, text, "fold_parts", parts.count,
               arguments_of(from, {n, parts.size, tile, sums, folds.handle()}));
    }
    const T begin = initial.value_or(T{});
    const cl_int has_initial = initial ? 1 : 0;
    const cl_int is_exclusive = kind == scan_kind::exclusive ? 1 : 0;
    launch(where, text, "scan_parts", parts.count,
           arguments_of(from, {n, parts.size, tile, sums, folds.handle(), begin, has_initial,
                               is_exclusive, to.memory(), to.offset()}));
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
