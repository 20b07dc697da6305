// SPDX-License-Identifier: Apache-2.0
// Finds the indices of the least and greatest values on a device.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// Which extremum, and which of several equivalent values: the first or the last.
enum class extremum { first_least, first_greatest, last_greatest };

/// Returns true if the value at the higher index replaces the one at the lower index.
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

template <extremum Which, device_function Compare, device_value T>
[[nodiscard]] std::string extremum_text() {
    using function = called_t<Compare, T, T>;
    const std::string compare = name_of<function>();
    const std::string wins = Which == extremum::first_greatest ? compare + "(earlier, later)"
                                                               : compare + "(later, earlier)";
    const std::string negation = Which == extremum::last_greatest ? "!" : "";
    return program_text({function::opencl_source()},
                        definitions({{"value_t", opencl_type<T>()},
                                     {"LATER_WINS(later, earlier)", negation + "(" + wins + ")"}}) +
                            kernels::extremum);
}

/// Returns the index of the extremum among the `count` values on the device, at least one. The host compares
/// the extrema that work items or work groups have found.
template <extremum Which, device_function Compare, device_iterator It>
std::size_t find_extremum(const opencl::queue& where, const std::tuple<computed_values<It>>& from,
                          std::size_t count) {
    using value = computed_t<iterated_t<It>>;
    static const std::string text = extremum_text<Which, Compare, value>();
    const bool alone = where.items_work_alone();
    const item_parts parts = parts_of(where, count, 1);
    const std::size_t group = group_size(where);
    const std::size_t found = alone ? parts.count : sharing_groups(where, count);
    const opencl::pooled_buffer of_values = where.take_buffer(found * sizeof(value));
    const cl::Buffer& values = of_values.handle();
    const opencl::pooled_buffer of_indices = where.take_buffer(found * sizeof(cl_ulong));
    const cl::Buffer& indices = of_indices.handle();
    const cl_ulong n = count;
    if (alone) {
        launch_items(where, text, "find_in_parts", parts.count,
                     arguments_of(from, {n, parts.size, values, indices}));
    } else {
        launch(where, text, "find", found,
               arguments_of(from, {n, cl::Local(group * sizeof(value)),
                                   cl::Local(group * sizeof(cl_ulong)), values, indices}));
    }
    std::vector<value> value_of(found);
    std::vector<cl_ulong> index_of(found);
    where.handle().enqueueReadBuffer(values, CL_TRUE, 0, found * sizeof(value), value_of.data());
    where.handle().enqueueReadBuffer(indices, CL_TRUE, 0, found * sizeof(cl_ulong),
                                     index_of.data());
    std::size_t best = 0;
    for (std::size_t i = 1; i < found; ++i) {
        const bool wins = index_of[best] < index_of[i]
                              ? later_wins<Which, Compare>(value_of[i], value_of[best])
                              : !later_wins<Which, Compare>(value_of[best], value_of[i]);
        best = wins ? i : best;
    }
    return index_of[best];
}

/// Returns iterators to the extrema `Which` among the `count` values beginning at `first`, at least one.
template <device_function Compare, extremum... Which, device_iterator It>
std::array<It, sizeof...(Which)> extrema_on_device(const opencl::queue& where, It first,
                                                   std::size_t count) {
    return opencl::detail::translated([&] {
        const std::tuple<computed_values<It>> from{
            computed_values<It>{where, first, count, computed_values<It>::use::input}};
        return std::array<It, sizeof...(Which)>{
            first +
            static_cast<std::ptrdiff_t>(find_extremum<Which, Compare>(where, from, count))...};
    });
}

}  // namespace pointsman::detail
