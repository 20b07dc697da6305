// SPDX-License-Identifier: Apache-2.0
// Folds and scans the values of each segment of equal keys on a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/scan_kind.hpp"
#include "pointsman/algorithm/opencl/computed_values.hpp"
#include "pointsman/algorithm/opencl/kernels.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/opencl/parts.hpp"

namespace pointsman::detail {

/// The values that a work group folds or scans in local memory, if work items do not work alone: `each` for each of
/// its `items`, which take at most 17 KiB of it. `each` is odd, so that work items access different memory banks.
template <class... Moved>
struct segment_tile {
    static constexpr std::size_t largest = std::max({sizeof(Moved)...});
    static constexpr std::size_t each = largest < 8 ? 9 : largest == 8 ? 5 : largest <= 16 ? 3 : 1;
    std::size_t items;

    explicit segment_tile(const opencl::queue& where)
        : items{std::min(group_size(where), std::size_t{128})} {}
    [[nodiscard]] std::size_t size() const noexcept { return items * each; }
};

/// The program of a call. `T` is the type of the fold.
template <device_value Key, device_value Value, class T, device_value KeyOut, device_value Out,
          device_function Same, device_function Op, scan_kind Kind>
[[nodiscard]] const std::string& segment_text(const opencl::queue& where, std::size_t each,
                                              std::size_t items) {
    static text_cache<std::tuple<bool, std::size_t, std::size_t>> texts;
    const bool alone = where.items_work_alone();
    static_assert(
        alike<Key, KeyOut> && alike<Value, T> && alike<T, Out>,
        "an algorithm by segment of tuples has tuples of the same types as its output: zip "
        "iterators over these types");
    using same = called_t<Same, Key, Key>;
    using combine = fold_t<Op, T>;
    return texts.get({alone, each, items}, [&] {
        return program_text({same::opencl_source(), combine::opencl_source()},
                            definitions({{"key_t", opencl_type<Key>()},
                                         {"value_t", opencl_type<Value>()},
                                         {"fold_t", opencl_type<T>()},
                                         {"key_out_t", opencl_type<KeyOut>()},
                                         {"out_t", opencl_type<Out>()},
                                         {"SAME", name_of<same>()},
                                         {"COMBINE", name_of<combine>()},
                                         {"IS_EXCLUSIVE", Kind == scan_kind::exclusive ? "1" : "0"},
                                         {"EACH", std::to_string(each)},
                                         {"ITEMS", std::to_string(items)}}) +
                                (alone ? kernels::segment : kernels::segment_groups));
    });
}

/// For each of several parts of an array: the fold of the segment that is open after it, and the number of
/// segments that have begun. In memory from the queue's pool.
class segment_states {
  public:
    segment_states(const opencl::queue& where, std::size_t count, std::size_t fold_bytes)
        : count_{count},
          fold_bytes_{fold_bytes},
          folds_{where.take_buffer(count * fold_bytes)},
          begun_{where.take_buffer(count * sizeof(std::uint64_t))} {}

    [[nodiscard]] const cl::Buffer& folds() const noexcept { return folds_.handle(); }
    [[nodiscard]] const cl::Buffer& begun() const noexcept { return begun_.handle(); }

    /// Enqueues the replacement of each part's own state by the state after it and all parts before.
    void scan(const opencl::queue& where, const std::string& text) const {
        constexpr std::size_t states_of_item = 32;
        const item_parts parts = parts_of(where, count_, states_of_item);
        const segment_states sums{where, parts.count, fold_bytes_};
        const cl_ulong n = count_;
        const std::vector<opencl::kernel_argument> arguments{
            folds(), begun(), n, parts.size, sums.folds(), sums.begun()};
        if (parts.count > 1) {
            launch_items(where, text, "fold_states", parts.count, arguments);
            sums.scan(where, text);
        }
        launch_items(where, text, "scan_states", parts.count, arguments);
    }

    /// Returns the number of segments in the array, once `scan` is complete.
    [[nodiscard]] std::size_t segments(const opencl::queue& where) const {
        std::uint64_t all = 0;
        where.handle().enqueueReadBuffer(begun(), CL_TRUE, (count_ - 1) * sizeof all, sizeof all,
                                         &all);
        return all;
    }

  private:
    std::size_t count_;
    std::size_t fold_bytes_;
    opencl::pooled_buffer folds_;
    opencl::pooled_buffer begun_;
};

/// The keys and values of a call, at least one each, and the states of the parts into which they are divided.
template <class T, device_iterator Keys, device_iterator Values>
class segmented {
  public:
    /// Work groups of `items` work items have parts of `tile_size`, if work items do not work alone.
    segmented(const opencl::queue& where, Keys keys, Values values, std::size_t count,
              const std::string& text, std::size_t items, std::size_t tile_size)
        : where_{where},
          text_{text},
          from_{computed_values<Keys>{where, keys, count, computed_values<Keys>::use::input},
                computed_values<Values>{where, values, count, computed_values<Values>::use::input}},
          items_{items},
          n_{count},
          parts_{parts_of(where, count, tile_size)},
          states_{where, parts_.count, sizeof(T)} {
        launch("fold_parts", {n_, parts_.size, states_.folds(), states_.begun()});
        states_.scan(where, text);
    }

    [[nodiscard]] std::size_t segments() const { return states_.segments(where_); }

    template <device_iterator Out>
    void scan(const T& initial, const computed_values<Out>& out) const {
        launch("scan_parts",
               {n_, parts_.size, states_.folds(), initial, out.memory(), out.offset()});
    }
    template <device_iterator KeysOut, device_iterator Out>
    void reduce(const computed_values<KeysOut>& keys, const computed_values<Out>& out) const {
        launch("reduce_parts", {n_, parts_.size, states_.folds(), states_.begun(), keys.memory(),
                                keys.offset(), out.memory(), out.offset()});
    }

  private:
    void launch(const std::string& kernel,
                std::initializer_list<opencl::kernel_argument> others) const {
        launch_parts(where_, text_, kernel, parts_.count, items_, arguments_of(from_, others));
    }

    const opencl::queue& where_;
    const std::string& text_;
    std::tuple<computed_values<Keys>, computed_values<Values>> from_;
    std::size_t items_;
    cl_ulong n_;
    item_parts parts_;
    segment_states states_;
};

/// Scans the `count` values of each segment, at least one, as `T`s. Returns the end of the output. Values of
/// half precision are folded as `float`, and each result is rounded once.
template <device_function Same, device_function Op, scan_kind Kind, device_value T,
          device_iterator Keys, device_iterator Values, device_iterator Out>
Out scan_segments_on_device(const opencl::queue& where, Keys keys, std::size_t count, Values values,
                            Out out, const T& initial) {
    using folded = computed_t<T>;
    return opencl::detail::translated([&] {
        const segment_tile<computed_t<iterated_t<Keys>>, computed_t<iterated_t<Values>>, folded,
                           computed_t<iterated_t<Out>>>
            tile{where};
        const std::string& text =
            segment_text<iterated_t<Keys>, iterated_t<Values>, folded, iterated_t<Keys>,
                         iterated_t<Out>, Same, Op, Kind>(where, tile.each, tile.items);
        const segmented<folded, Keys, Values> from{where, keys,       values,     count,
                                                   text,  tile.items, tile.size()};
        computed_values<Out> to{where, out, count, computed_values<Out>::use::output};
        from.scan(static_cast<folded>(initial), to);
        to.fetch();
        return out + static_cast<std::ptrdiff_t>(count);
    });
}

/// Writes the first key and the fold of each segment of the `count` keys and values, at least one. Returns the
/// ends of both outputs.
template <device_function Same, device_function Op, device_iterator Keys, device_iterator Values,
          device_iterator KeysOut, device_iterator Out>
std::pair<KeysOut, Out> reduce_segments_on_device(const opencl::queue& where, Keys keys,
                                                  std::size_t count, Values values,
                                                  KeysOut keys_out, Out out) {
    using folded = computed_t<iterated_t<Values>>;
    return opencl::detail::translated([&] {
        const segment_tile<computed_t<iterated_t<Keys>>, computed_t<iterated_t<Values>>, folded>
            tile{where};
        const std::string& text =
            segment_text<iterated_t<Keys>, iterated_t<Values>, folded, iterated_t<KeysOut>,
                         iterated_t<Out>, Same, Op, scan_kind::inclusive>(where, tile.each,
                                                                          tile.items);
        const segmented<folded, Keys, Values> from{where, keys,       values,     count,
                                                   text,  tile.items, tile.size()};
        const std::size_t segments = from.segments();
        computed_values<KeysOut> to_keys{where, keys_out, segments,
                                         computed_values<KeysOut>::use::output};
        computed_values<Out> to{where, out, segments, computed_values<Out>::use::output};
        from.reduce(to_keys, to);
        to_keys.fetch();
        to.fetch();
        const auto distance = static_cast<std::ptrdiff_t>(segments);
        return std::pair{keys_out + distance, out + distance};
    });
}

}  // namespace pointsman::detail
