// SPDX-License-Identifier: Apache-2.0
// Stable merge sort of numbers or tuples on a device, by any function that compares two of them.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/merge.hpp"
#include "pointsman/algorithm/opencl/moved_array.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/tuple_function.hpp"
#include "pointsman/algorithm/opencl/type.hpp"
#include "pointsman/algorithm/opencl/typed.hpp"
#include "pointsman/algorithm/zip_iterator.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::detail {

/// `Compare`, or the function of pointsman that is the same order of `T`.
template <class Compare, class T>
using order_on_device =
    std::conditional_t<rising<Compare, T>, less,
                       std::conditional_t<falling<Compare, T>, greater, Compare>>;

/// `Compare` takes two of `T` and returns a number.
template <class Compare, class T>
inline constexpr bool compares_on_device = true;
template <class Compare, class T>
    requires requires { typename signature_of<Compare>::result; }
inline constexpr bool compares_on_device<Compare, T> =
    std::is_arithmetic_v<typename signature_of<Compare>::result> &&
    std::invocable<const Compare&, const T&, const T&>;

/// Returns true, as an error of the compiler says otherwise.
template <class Compare, class T>
[[nodiscard]] consteval bool sorts_on_device() {
    static_assert(device_function<Compare>,
                  "a device sorts by less or greater, or by a POINTSMAN_FUNCTION of two values: "
                  "pass one of these");
    if constexpr (device_function<Compare>) {
        static_assert(compares_on_device<Compare, T>,
                      "a device sorts by a function that takes two of the values and returns bool; "
                      "the values of a zip_iterator are each a POINTSMAN_STRUCT of as many "
                      "numbers: declare such a POINTSMAN_FUNCTION");
        return compares_on_device<Compare, T>;
    }
    return false;
}

/// The length of the runs that a work item sorts by insertion if items work alone.
inline constexpr std::size_t insertion_run = 32;

/// Returns how often a run of `size` values doubles until it has `count`.
[[nodiscard]] constexpr std::size_t doublings(std::size_t size, std::size_t count) noexcept {
    return static_cast<std::size_t>(std::bit_width((count - 1) / size));
}

/// Enqueues the sort of the `count` values in `array.from`, at least one, by `Order`, which kernels call as it is.
/// Moves them to `array.to` and back.
template <device_function Order, device_value T>
void enqueue_merge_sort(const opencl::queue& where, std::size_t count, moved_array array) {
    const bool alone = where.items_work_alone();
    const auto tile = merge_tile_of<T, T, T>(where);
    static text_cache<std::pair<bool, std::size_t>> texts;
    const std::string& text = texts.get({alone, tile.items}, [&] {
        return merge_text<Order>(tile,
                                 definitions({{"RUN", std::to_string(insertion_run)}}) +
                                     (alone ? kernels::merge_sort : kernels::merge_sort_groups));
    });
    item_parts parts = parts_of(where, count, tile.size());
    if (alone) {
        parts.size = std::bit_ceil(parts.size);
        parts.count = (count + parts.size - 1) / parts.size;
    }
    const std::size_t moves_in_parts = alone ? doublings(insertion_run, parts.size) : 0;
    const cl_ulong n = count;
    const moved_array values = array;
    if ((moves_in_parts + doublings(parts.size, count)) % 2 == 0) {
        array.swap();  // the runs begin where the last merge is to end
    }
    std::vector<opencl::kernel_argument> arguments{values.from, values.at_from, n,
                                                   parts.size,  array.to,       array.at_to};
    if (alone) {
        arguments.insert(arguments.end(), {array.from, array.at_from});
    }
    launch_parts(where, text, "sort_part", parts.count, tile.items, arguments);
    if (moves_in_parts % 2 == 0) {
        array.swap();
    }
    for (cl_ulong width = parts.size; width < n; width *= 2) {
        launch_parts(where, text, "merge_runs", parts.count, tile.items,
                     {array.from, array.at_from, n, parts.size, width, array.to, array.at_to});
        array.swap();
    }
}

/// Sorts the `count` values beginning at `first`, at least one, by `Order`, which kernels call as it is.
template <device_function Order, device_iterator It>
void merge_sort_values(const opencl::queue& where, std::size_t count, It first) {
    using value = iterated_t<It>;
    computed_values<It> values{where, first, count, computed_values<It>::use::input};
    const std::size_t size_bytes = count * sizeof(computed_t<value>);
    const opencl::pooled_buffer other = where.take_buffer(size_bytes);
    enqueue_merge_sort<Order, value>(
        where, count, {size_bytes, values.memory(), values.offset(), other.handle(), 0});
    values.fetch();
}

/// `Compare` of the first numbers of two rows, which make a `Key`.
template <device_function Compare, device_value Key, device_row Row>
struct order_by_key {
    using function = called_t<Compare, Key, Key>;

    static std::string opencl_name() { return "by_key_" + name_of<function>(); }
    static std::string opencl_source() {
        const std::string row{opencl_type<Row>()};
        const std::string key{opencl_type<Key>()};
        return function::opencl_source() + "static inline __attribute__((always_inline)) int " +
               opencl_name() + "(const " + row + " a, const " + row + " b) {\n    const " + key +
               " x = " + key_of("a") + ", y = " + key_of("b") + ";\n    return " +
               call_of<function>("x", "y") + " ? 1 : 0;\n}\n";
    }

  private:
    static std::string key_of(const std::string& row) {
        if constexpr (device_number<Key>) {
            return values_of_tuple(row, 1);
        } else {
            return tuple_text(opencl_type<Key>(), values_of_tuple(row, row_size<Key>));
        }
    }
};

/// The iterators that a `zip_iterator` combines, or `it` alone.
template <device_iterator It>
[[nodiscard]] std::tuple<It> columns_of(const It& it) {
    return {it};
}
template <device_iterator... Its>
[[nodiscard]] const std::tuple<Its...>& columns_of(const zip_iterator<Its...>& rows) {
    return rows.base();
}

/// Sorts the `count` keys beginning at `first`, at least one, by `Compare`, stably, and moves the values at the same
/// indices of `values` along with them.
template <device_function Compare, device_iterator Keys, device_iterator... Values>
void merge_sort_on_device(const opencl::queue& where, std::size_t count, Keys first,
                          Values... values) {
    using key = iterated_t<Keys>;
    opencl::detail::translated([&] {
        if constexpr (sizeof...(Values) == 0) {
            merge_sort_values<called_t<Compare, key, key>>(where, count, first);
        } else {
            const auto zipped = [](const auto&... each) { return zip_iterator{each...}; };
            const auto rows =
                std::apply(zipped, std::tuple_cat(columns_of(first), columns_of(values)...));
            using row = iterated_t<std::remove_const_t<decltype(rows)>>;
            merge_sort_values<order_by_key<Compare, key, row>>(where, count, rows);
        }
    });
}

}  // namespace pointsman::detail
