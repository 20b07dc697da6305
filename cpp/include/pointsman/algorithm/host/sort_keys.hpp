// SPDX-License-Identifier: Apache-2.0
// Sorts numbers together with their indices on the host, and moves values along with them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort.hpp"
#include "pointsman/algorithm/host/sort_counted.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// A number that has an image, and can be sorted with its index as one integer.
template <class T>
concept indexed_number = (std::integral<T> && sizeof(T) <= 8) || imaged_number<T>;

/// Maps a key to an unsigned integer such that the integers have the order of `sort_by_key` by `Compare`:
/// zeros of both signs are equal, and so are all NaN, which come last.
template <class Compare, indexed_number Key>
[[nodiscard]] auto weak_image(const Key& key) noexcept {
    using unsigned_image = unsigned_of_size<sizeof(Key)>;
    constexpr auto top_bit =
        static_cast<unsigned_image>(unsigned_image{1} << (8 * sizeof(Key) - 1));
    if constexpr (imaged_number<Key>) {
        using image = sort_image<Key, Compare>;
        unsigned_image bits;
        std::memcpy(&bits, &key, sizeof bits);
        const auto magnitude = static_cast<unsigned_image>(bits & ~top_bit);
        if (magnitude == 0) {
            bits = 0;
        } else if (magnitude > infinity_bits<Key>) {
            bits = infinity_bits<Key> + 1;
        }
        return static_cast<unsigned_image>(static_cast<unsigned_image>(image::of(bits)) ^ top_bit);
    } else {
        return static_cast<unsigned_image>(static_cast<unsigned_image>(key) ^
                                           order_mask<Compare, Key, unsigned_image>);
    }
}

/// The image of a key and the index that the key had, in the order of both, so that equal keys keep theirs.
/// The image of at most four bytes and an index below 2^32 share 64 bits.
template <class Image>
struct image_and_index {
    static constexpr bool is_narrow = sizeof(Image) <= 4;
    using type = std::conditional_t<is_narrow, std::uint64_t, wide_integer>;

    [[nodiscard]] static type of(Image image, std::size_t index) noexcept {
        if constexpr (is_narrow) {
            return std::uint64_t{image} << 32U | index;
        } else {
            return {index, image};
        }
    }
    [[nodiscard]] static std::size_t index(const type& of) noexcept {
        if constexpr (is_narrow) {
            return static_cast<std::uint32_t>(of);
        } else {
            return of.lo;
        }
    }
};

/// Calls `run(begin, end)` for parts of the indices below `count`, in TBB's threads if that is worth it.
template <execution::host_policy P, class Run>
void in_index_parts(std::size_t count, const Run& run) {
    constexpr std::size_t worth_a_thread = 65'536;
    if constexpr (is_parallel_v<P>) {
        if (count >= 2 * worth_a_thread) {
            in_threads(count, worth_a_thread, run);
            return;
        }
    }
    run(std::size_t{0}, count);
}

/// Moves the `count` values at `first` to where `index_at(i)`, for each new place `i`, says that they were.
template <execution::host_policy P, class It, class IndexAt>
void reorder(It first, std::size_t count, const IndexAt& index_at) {
    std::vector<std::iter_value_t<It>> before;
    before.reserve(count);
    It from = first;
    for (std::size_t i = 0; i < count; ++i, ++from) {
        before.push_back(std::move(*from));
    }
    if constexpr (shared_output<It>) {
        in_index_parts<P>(count, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                first[static_cast<std::iter_difference_t<It>>(i)] = std::move(before[index_at(i)]);
            }
        });
    } else {
        for (std::size_t i = 0; i < count; ++i, ++first) {
            *first = std::move(before[index_at(i)]);
        }
    }
}

/// Sorts `count` keys, fewer than 2^32, by `Compare`, stably, and moves the values at `values` along.
template <class Compare, execution::host_policy P, class Keys, class Values>
void sort_with_indices(const P&, Keys first, std::size_t count, Values values) noexcept {
    using key = std::iter_value_t<Keys>;
    using pair = image_and_index<unsigned_of_size<sizeof(key)>>;
    const auto image_at = [&](std::size_t i) {
        const key each = first[static_cast<std::iter_difference_t<Keys>>(i)];
        return weak_image<Compare>(each);
    };
    std::size_t sorted = std::min<std::size_t>(count, 1);
    while (sorted < count && image_at(sorted - 1) <= image_at(sorted)) {
        ++sorted;
    }
    if (sorted == count) {
        return;  // nothing moves
    }
    if constexpr (sizeof(key) <= 2) {
        if (count >= worth_tables) {
            const auto order = std::make_unique_for_overwrite<std::uint32_t[]>(count);
            order_by_bytes(count, image_at, order.get());
            const auto index_at = [&](std::size_t i) { return order[i]; };
            reorder<P>(first, count, index_at);
            reorder<P>(values, count, index_at);
            return;
        }
    }
    const auto order = std::make_unique_for_overwrite<typename pair::type[]>(count);
    in_index_parts<P>(count, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            order[i] = pair::of(image_at(i), i);
        }
    });
    using less_pair = std::conditional_t<pair::is_narrow, less, wide_less>;
    sort_in_threads<P>(order.get(), order.get() + count, sorting_threads<P>(count), less_pair{});
    const auto index_at = [&](std::size_t i) { return pair::index(order[i]); };
    reorder<P>(first, count, index_at);
    reorder<P>(values, count, index_at);
}

}  // namespace pointsman::detail
