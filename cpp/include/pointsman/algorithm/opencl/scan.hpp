// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and those of other associative functions, on a device.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/scan_alone.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail {

/// The neighbours of a work item in a tile.
template <device_value T>
inline constexpr std::size_t scanned_each = sizeof(T) == 8 ? 8 : 16;

/// Loops over the tiles of a part; `body` has one at `base` with `count` values, and `GUARD(condition)` before
/// what only a work item with values of its own does: no tile but the last needs to ask.
[[nodiscard]] inline std::string over_tiles(const std::string& body) {
    return "    ulong base = first;\n"
           "    for (; base + TILE <= last; base += TILE) {\n"
           "        const uint count = TILE;\n"
           "#define GUARD(condition)\n" +
           body +
           "#undef GUARD\n"
           "    }\n"
           "    if (base < last) {\n"
           "        const uint count = last - base;\n"
           "#define GUARD(condition) if (condition)\n" +
           body +
           "#undef GUARD\n"
           "    }\n";
}

/// Each group has a part of the array, tile by tile: values come into local memory and leave it in the order
/// of the work items, while each folds neighbours in its registers, so that nothing depends on `F` being
/// commutative. `fold_parts` folds the parts; in `scan_parts` each group folds what comes before its part and
/// scans from there: values are read twice and written once.
template <class T, device_function F, device_function G, class In, class Out>
[[nodiscard]] std::string scan_text(std::size_t items) {
    const auto [parameters, values] = text_of_inputs<In>();
    const std::string load_tile = R"(
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            GUARD(k * ITEMS + me < count) {
                const ulong i = base + k * ITEMS + me;
                tile[IN_TILE(k * ITEMS + me)] = VALUE;
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint begin = min(me * EACH, count), mine = min(begin + EACH, count) - begin;
        const uint filled = (count + EACH - 1) / EACH;  // items that have values
        sum_t own[EACH];
        own[0] = 0;
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            GUARD(k < mine) own[k] = tile[IN_TILE(begin + k)];
        sum_t sum = own[0];
        #pragma unroll
        for (uint k = 1; k < EACH; ++k)
            GUARD(k < mine) sum = F(sum, own[k]);
)";
    const std::string fold_tile = load_tile + R"(
        sums[me] = sum;
        FOLD_SUMS(filled)
        carry = base == first ? sums[0] : F(carry, sums[0]);
        barrier(CLK_LOCAL_MEM_FENCE);
)";
    const std::string scan_tile = load_tile + R"(
        // The items' sums are scanned from one end of `sums` to the other and back.
        uint half_at = 0;
        sums[me] = sum;
        for (uint width = 1; width < filled; width *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            sum_t scanned = sums[half_at + me];
            if (me >= width && me < filled) scanned = F(sums[half_at + me - width], scanned);
            half_at = ITEMS - half_at;
            sums[half_at + me] = scanned;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        sum_t running = carry;
        if (me != 0 && me < filled)
            running = carried ? F(carry, sums[half_at + me - 1]) : sums[half_at + me - 1];
        int begun = carried || me != 0;
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            GUARD(k < mine) {
                const sum_t now = begun ? F(running, own[k]) : own[k];
                tile[IN_TILE(begin + k)] = is_exclusive ? running : now;
                running = now;
                begun = 1;
            }
        const sum_t all = sums[half_at + filled - 1];
        carry = carried ? F(carry, all) : all;
        carried = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (uint k = 0; k < EACH; ++k)
            GUARD(k * ITEMS + me < count)
                out[at_out + base + k * ITEMS + me] = tile[IN_TILE(k * ITEMS + me)];
        barrier(CLK_LOCAL_MEM_FENCE);
)";
    return program_text(
        {F::opencl_source(), G::opencl_source()},
        "typedef " + opencl_type<T>() + " sum_t;\ntypedef " + opencl_type<Out>() +
            " out_t;\n#define VALUE ((sum_t)" + std::string{G::opencl_name()} + "(" + values +
            "))\n#define F " + std::string{F::opencl_name()} + "\n#define PARAMETERS " +
            parameters +
            "ulong n, ulong part, local sum_t* tile, local sum_t* sums\n#define EACH " +
            std::to_string(scanned_each<T>) + "\n#define ITEMS " + std::to_string(items) + R"(
#define TILE (ITEMS * EACH)
// A gap after the values of an item keeps the items out of one another's banks.
#define IN_TILE(k) ((k) + (k) / EACH)
#define BEGIN_PART \
    const uint me = get_local_id(0); \
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
// Leaves in sums[0] what the first `filled` sums are folded to.
#define FOLD_SUMS(filled) \
    for (uint width = 1; width < filled; width *= 2) { \
        barrier(CLK_LOCAL_MEM_FENCE); \
        const uint left = 2 * width * me; \
        if (left + width < filled) sums[left] = F(sums[left], sums[left + width]); \
    } \
    barrier(CLK_LOCAL_MEM_FENCE);
kernel void fold_parts(PARAMETERS, global sum_t* folds) {
    BEGIN_PART
    sum_t carry = 0;
)" + over_tiles(fold_tile) +
            R"(
    if (me == 0) folds[get_group_id(0)] = carry;
}
kernel void scan_parts(PARAMETERS, global const sum_t* folds, sum_t initial, int has_initial,
                       int is_exclusive, global out_t* out, ulong at_out) {
    BEGIN_PART
    sum_t carry = initial;
    int carried = has_initial;
    const uint before = get_group_id(0);
    if (before != 0) {
        const uint share = (before + ITEMS - 1) / ITEMS, past = min((me + 1) * share, before);
        uint i = me * share;
        if (i < past) {
            sum_t sum = folds[i];
            for (++i; i < past; ++i) sum = F(sum, folds[i]);
            sums[me] = sum;
        }
        const uint sharers = (before + share - 1) / share;
        FOLD_SUMS(sharers)
        carry = carried ? F(carry, sums[0]) : sums[0];
        carried = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
)" + over_tiles(scan_tile) +
            "}\n");
}

/// Has the device scan `G` of `count` values at `from`, at least one, to those at `to`: see `scan_on_device`.
template <class T, device_function F, device_function G, device_iterator In, device_iterator Out>
void enqueue_scan(const opencl::queue& where, const std::tuple<device_values<In>>& from,
                  std::size_t count, const device_values<Out>& to, const std::optional<T>& initial,
                  scan_kind kind) {
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

/// Scans `G` of `count` values from `first` on, at least one, as `T`s to the places from `out` on, after
/// `initial` where there is one; there is for an exclusive scan. Returns the place past the last.
template <device_value T, device_function F, device_function G, device_iterator In,
          device_iterator Out>
Out scan_on_device(const opencl::queue& where, In first, std::size_t count, Out out,
                   std::optional<T> initial, scan_kind kind) {
    return opencl::detail::translated([&] {
        const std::tuple<device_values<In>> from{
            device_values<In>{where, first, count, device_values<In>::use::input}};
        device_values<Out> to{where, out, count, device_values<Out>::use::output};
        enqueue_scan<T, F, G>(where, from, count, to, initial, kind);
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

/// Has the device put in place of each of `count` numbers at `memory` the sum of those before it and, for an
/// inclusive scan, of itself.
inline void enqueue_sums(const opencl::queue& where, const opencl::buffer<std::uint64_t>& numbers,
                         scan_kind kind) {
    using values = device_values<opencl::buffer_iterator<std::uint64_t>>;
    const std::tuple<values> from{
        values{where, begin(numbers), numbers.size(), values::use::input}};
    const values to{where, begin(numbers), numbers.size(), values::use::output};
    enqueue_scan<std::uint64_t, plus, identity_value>(
        where, from, numbers.size(), to,
        kind == scan_kind::exclusive ? std::optional<std::uint64_t>{0} : std::nullopt, kind);
}

}  // namespace pointsman::detail
