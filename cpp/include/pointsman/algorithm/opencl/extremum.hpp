// SPDX-License-Identifier: Apache-2.0
// Finds the least and the greatest of many values on a device.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// Of the values that an order does not tell apart, the first or the last.
enum class extremum { first_least, first_greatest, last_greatest };

/// Whether a value takes the place of one that came before it.
template <extremum Which, class Compare, class T>
[[nodiscard]] bool later_wins(const T& later, const T& earlier) {
    if constexpr (Which == extremum::first_least) {
        return Compare{}(later, earlier);
    } else if constexpr (Which == extremum::first_greatest) {
        return Compare{}(earlier, later);
    } else {
        return !Compare{}(later, earlier);
    }
}
template <extremum Which, device_function Compare>
[[nodiscard]] std::string later_wins_text() {
    const std::string compare{Compare::opencl_name()};
    return "#define LATER_WINS(later, earlier) (" +
           (Which == extremum::first_least      ? compare + "(later, earlier)"
            : Which == extremum::first_greatest ? compare + "(earlier, later)"
                                                : "!(" + compare + "(later, earlier))") +
           ")\n";
}

/// In `find_in_parts` each work item finds the block of its part that has the extremum, in as many lanes as a
/// register may have, and then its place there. In `find` it looks at every so many-th value, and a group
/// compares what its items have by halves in local memory. The host compares what is left.
template <extremum Which, device_function Compare, device_value T>
[[nodiscard]] std::string extremum_text() {
    return program_text({Compare::opencl_source()}, "typedef " + opencl_type<T>() + " value_t;\n" +
                                                        later_wins_text<Which, Compare>() +
                                                        R"(
#define LOOK(start, end, step)                                  \
    ulong place = start;                                        \
    value_t best = x[at_x + place];                             \
    for (ulong i = place + (step); i < (end); i += (step)) {    \
        const value_t value = x[at_x + i];                      \
        if (LATER_WINS(value, best)) { best = value; place = i; } \
    }
#define BLOCK 1024
#define LANES 16
#define BETTER(later, earlier) (LATER_WINS(later, earlier) ? (later) : (earlier))
kernel void find_in_parts(global const value_t* x, ulong at_x, ulong n, ulong part,
                          global value_t* values, global ulong* places) {
)" + places_of_item + R"(
    ulong best_block = begin;
    value_t best_of_all = x[at_x + begin];
    for (ulong block = begin; block < end; block += BLOCK) {
        const ulong block_end = min(block + BLOCK, end);
        value_t lanes[LANES];
        for (int k = 0; k < LANES; ++k) lanes[k] = x[at_x + min(block + k, end - 1)];
        ulong i = block + LANES;
        for (; i + LANES <= block_end; i += LANES)
            for (int k = 0; k < LANES; ++k) lanes[k] = BETTER(x[at_x + i + k], lanes[k]);
        for (; i < block_end; ++i) lanes[0] = BETTER(x[at_x + i], lanes[0]);
        for (int width = LANES / 2; width != 0; width /= 2)
            for (int k = 0; k < width; ++k) lanes[k] = BETTER(lanes[k + width], lanes[k]);
        if (LATER_WINS(lanes[0], best_of_all)) { best_of_all = lanes[0]; best_block = block; }
    }
    LOOK(best_block, min(best_block + BLOCK, end), 1)
    values[get_global_id(0)] = best;
    places[get_global_id(0)] = place;
}
kernel void find(global const value_t* x, ulong at_x, ulong n, local value_t* value_of,
                 local ulong* place_of, global value_t* values, global ulong* places) {
    const size_t me = get_local_id(0), items = get_local_size(0);
    if (get_global_id(0) < n) {
        LOOK(get_global_id(0), n, get_global_size(0))
        value_of[me] = best;
        place_of[me] = place;
    }
    size_t filled = min(n - get_group_id(0) * items, (ulong)items);
    for (size_t width = items / 2; width != 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const size_t other = me + width;
        if (me < width && other < filled) {
            const bool other_wins = place_of[me] < place_of[other]
                                        ? LATER_WINS(value_of[other], value_of[me])
                                        : !LATER_WINS(value_of[me], value_of[other]);
            if (other_wins) { value_of[me] = value_of[other]; place_of[me] = place_of[other]; }
        }
        filled = min(filled, width);
    }
    if (me == 0) {
        values[get_group_id(0)] = value_of[0];
        places[get_group_id(0)] = place_of[0];
    }
}
)");
}

/// The place of the extremum among `count` values, at least one, that are on the device.
template <extremum Which, device_function Compare, device_iterator It>
std::size_t find_extremum(const opencl::queue& where, const std::tuple<device_values<It>>& from,
                          std::size_t count) {
    using value = iterated_t<It>;
    static const std::string text = extremum_text<Which, Compare, value>();
    const bool alone = where.items_work_alone();
    const item_parts parts = parts_of(where, count, 1);
    const std::size_t group = group_size(where);
    const std::size_t found = alone ? parts.count : sharing_groups(where, count);
    const opencl::pooled_buffer of_values = where.take_buffer(found * sizeof(value));
    const cl::Buffer& values = of_values.handle();
    const opencl::pooled_buffer of_places = where.take_buffer(found * sizeof(cl_ulong));
    const cl::Buffer& places = of_places.handle();
    const cl_ulong n = count;
    if (alone) {
        launch_items(where, text, "find_in_parts", parts.count,
                     arguments_of(from, {n, parts.size, values, places}));
    } else {
        launch(where, text, "find", found,
               arguments_of(from, {n, cl::Local(group * sizeof(value)),
                                   cl::Local(group * sizeof(cl_ulong)), values, places}));
    }
    std::vector<value> value_of(found);
    std::vector<cl_ulong> place_of(found);
    where.handle().enqueueReadBuffer(values, CL_TRUE, 0, found * sizeof(value), value_of.data());
    where.handle().enqueueReadBuffer(places, CL_TRUE, 0, found * sizeof(cl_ulong), place_of.data());
    std::size_t best = 0;
    for (std::size_t i = 1; i < found; ++i) {
        const bool wins = place_of[best] < place_of[i]
                              ? later_wins<Which, Compare>(value_of[i], value_of[best])
                              : !later_wins<Which, Compare>(value_of[best], value_of[i]);
        best = wins ? i : best;
    }
    return place_of[best];
}

/// The places of the extrema `Which` among `count` values, at least one, from `first` on.
template <device_function Compare, extremum... Which, device_iterator It>
std::array<It, sizeof...(Which)> extrema_on_device(const opencl::queue& where, It first,
                                                   std::size_t count) {
    return opencl::detail::translated([&] {
        const std::tuple<device_values<It>> from{
            device_values<It>{where, first, count, device_values<It>::use::input}};
        return std::array<It, sizeof...(Which)>{
            first +
            static_cast<std::ptrdiff_t>(find_extremum<Which, Compare>(where, from, count))...};
    });
}

}  // namespace pointsman::detail
