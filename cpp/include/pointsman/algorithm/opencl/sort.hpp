// SPDX-License-Identifier: Apache-2.0
// Sorts on a device, which move values along with the keys: a radix sort of numbers, and a merge sort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/merge_sort.hpp"
#include "pointsman/algorithm/opencl/moved_array.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"
#include "pointsman/algorithm/opencl/radix.hpp"
#include "pointsman/algorithm/opencl/radix_groups.hpp"
#include "pointsman/algorithm/opencl/radix_once.hpp"
#include "pointsman/algorithm/opencl/scan.hpp"
#include "pointsman/algorithm/opencl/turns.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::detail {

/// Sorts `count` keys, at least one, by one digit after the other, beginning with the lowest. Each pass
/// counts the digits of every part, scans the counts, and moves the keys; keys of the same digit keep their
/// order.
template <device_value Key, device_value... Values>
class radix_sort {
  public:
    radix_sort(const opencl::queue& where, std::size_t count, const radix_order& order)
        : where_{where},
          n_{count},
          tile_{radix_tile_of<Key, Values...>(where)},
          parts_{where.items_work_alone() ? parts_of(where, count, 1)
                                          : parts_of_tiles(where, count, tile_.size())},
          text_{where.items_work_alone() ? radix_text_alone<Key, Values...>(order)
                                         : radix_text_in_groups<Key, Values...>(order, tile_)},
          memory_{where.take_buffer(digits * parts_.count * sizeof(std::uint64_t))},
          starts_{memory_.handle(), digits * parts_.count} {}

    /// Enqueues the sort of `arrays`: first the keys, then the values.
    void sort(std::vector<moved_array>& arrays) {
        sort_by_digits<Key>(where_, n_, arrays, [&](const auto& moved, const cl_uint& shift) {
            count(moved[0], shift);
            enqueue_sums(where_, starts_, scan_kind::exclusive);
            move(moved, shift);
        });
    }

  private:
    static constexpr std::size_t digits = 256;  // of eight bits

    void start(const std::string& kernel, const std::vector<opencl::kernel_argument>& arguments) {
        launch_parts(where_, text_, kernel, parts_.count, tile_.items, arguments);
    }

    [[nodiscard]] std::vector<opencl::kernel_argument> begin_arguments(const moved_array& keys,
                                                                       const cl_uint& shift) const {
        return {keys.from, keys.at_from, n_, parts_.size, shift, parts_count_, starts_.handle()};
    }

    void count(const moved_array& keys, cl_uint shift) {
        start("count_digits", begin_arguments(keys, shift));
    }

    void move(const std::vector<moved_array>& arrays, cl_uint shift) {
        auto arguments = begin_arguments(arrays[0], shift);
        arguments.insert(arguments.end(), {arrays[0].to, arrays[0].at_to});
        add_values(arguments, arrays);
        start("move_keys", arguments);
    }

    opencl::queue where_;
    cl_ulong n_;
    radix_tile tile_;
    item_parts parts_;
    cl_ulong parts_count_ = parts_.count;
    std::string text_;
    opencl::pooled_buffer memory_;
    opencl::buffer<std::uint64_t> starts_;
};

/// Enqueues the sort of `arrays` of `count` values each, at least one: first the keys, then the values.
template <device_value Key, device_value... Values>
void enqueue_sort(const opencl::queue& where, std::size_t count, const radix_order& order,
                  std::vector<moved_array>& arrays) {
    using once = radix_sort_once<Key, Values...>;
    const std::size_t warp = where.items_work_alone() ? 1 : warp_size(where);
    if (warp > 1 && count <= once::most && once::can_run(where, warp)) {
        once{where, count, order, warp}.sort(arrays);
    } else {
        radix_sort<Key, Values...>{where, count, order}.sort(arrays);
    }
}

/// Sorts the `count` keys beginning at `first`, at least one, by their bits, and moves the values at the same
/// indices of `values` along with them. Stable if the order is weak.
template <class Compare, order_kind Kind, device_iterator Keys, device_iterator... Values>
    requires number_order<Compare, iterated_t<Keys>>
void radix_sort_on_device(const opencl::queue& where, std::size_t count, Keys first,
                          Values... values) {
    using key = iterated_t<Keys>;
    opencl::detail::translated([&] {
        std::tuple<device_values<Keys>, device_values<Values>...> all{
            device_values<Keys>{where, first, count, device_values<Keys>::use::input},
            device_values<Values>{where, values, count, device_values<Values>::use::input}...};
        std::vector<moved_array> arrays;
        std::vector<opencl::pooled_buffer> others;
        const auto add = [&](const auto& each) {
            others.push_back(where.take_buffer(each.size_bytes()));
            const cl::Buffer& other = others.back().handle();
            arrays.push_back({each.size_bytes(), each.memory(), each.offset(), other, 0});
        };
        std::apply([&](const auto&... each) { (add(each), ...); }, all);
        enqueue_sort<key, iterated_t<Values>...>(where, count, {rising<Compare, key>, Kind},
                                                 arrays);
        std::apply([&](auto&... each) { (each.fetch(), ...); }, all);
    });
}

/// Sorts the `count` keys beginning at `first`, at least one, and moves the values at the same indices of
/// `values` along with them. Stable unless the order of numbers is total.
template <class Compare, order_kind Kind, device_iterator Keys, device_iterator... Values>
void sort_on_device(const opencl::queue& where, std::size_t count, Keys first, Values... values) {
    using key = iterated_t<Keys>;
    using order = order_on_device<Compare, key>;
    if constexpr (number_order<Compare, key>) {
        radix_sort_on_device<Compare, Kind>(where, count, first, values...);
    } else if constexpr (sorts_on_device<order, key>()) {
        merge_sort_on_device<order>(where, count, first, values...);
    }
}

}  // namespace pointsman::detail
