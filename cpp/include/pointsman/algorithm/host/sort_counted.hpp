// SPDX-License-Identifier: Apache-2.0
// Sorts integers of one or two bytes by how often each occurs, which takes no comparisons.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <type_traits>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// An integer with so few values that they can be counted.
template <class T>
concept narrow_integer = std::integral<T> && sizeof(T) <= 2;

/// An integer's bits are flipped where this has ones, which gives an unsigned integer: those rise in the order of
/// `Compare`. The same gives the integer back.
template <class Compare, std::integral T, class Unsigned>
inline constexpr auto order_mask = static_cast<Unsigned>(
    (std::is_signed_v<T> ? Unsigned{1} << (8 * sizeof(T) - 1) : Unsigned{0}) ^
    (rising<Compare, T> ? Unsigned{0} : std::numeric_limits<Unsigned>::max()));

/// The number of values of a byte.
inline constexpr std::size_t digits_of_bytes = 256;

/// The number of values from which tables of `digits_of_bytes` counts are faster than comparisons.
inline constexpr std::size_t worth_tables = 200;

/// The places of `narrow_integer`s in the order of `Compare`.
template <class Compare, narrow_integer T>
struct narrow_order {
    using place = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
    static constexpr std::size_t places = std::size_t{1} << (8 * sizeof(T));

    [[nodiscard]] static place of(T value) noexcept {
        return static_cast<place>(static_cast<place>(value) ^ order_mask<Compare, T, place>);
    }
    [[nodiscard]] static T at(std::size_t index) noexcept {
        return static_cast<T>(static_cast<place>(index) ^ order_mask<Compare, T, place>);
    }
};

/// Sorts by the lower byte and then by the upper one, with memory for as many values at `copy`: faster than counting
/// all 65,536 numbers of two bytes where there are not many more values than these.
template <class Order, narrow_integer T>
void sort_by_bytes(T* first, std::size_t count, T* copy) noexcept {
    using table = std::array<std::uint32_t, digits_of_bytes>;
    table low{};
    table high{};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = Order::of(first[i]);
        ++low[place % digits_of_bytes];
        ++high[place / digits_of_bytes];
    }
    std::exclusive_scan(low.begin(), low.end(), low.begin(), 0U);
    std::exclusive_scan(high.begin(), high.end(), high.begin(), 0U);
    for (std::size_t i = 0; i < count; ++i) {
        copy[low[Order::of(first[i]) % digits_of_bytes]++] = first[i];
    }
    for (std::size_t i = 0; i < count; ++i) {
        first[high[Order::of(copy[i]) / digits_of_bytes]++] = copy[i];
    }
}

/// Writes the indices of `count` unsigned integers `image_at(i)` of one or two bytes, fewer than 2^32, in the order of
/// the integers, and of the indices where those are equal.
template <class ImageAt>
void order_by_bytes(std::size_t count, const ImageAt& image_at, std::uint32_t* order) {
    using image = decltype(image_at(0));
    const auto sort_by = [&](std::size_t divisor, const std::uint32_t* from, std::uint32_t* to) {
        std::array<std::uint32_t, digits_of_bytes> places{};
        const auto digit_of = [&](std::size_t i) {
            return image_at(i) / divisor % digits_of_bytes;
        };
        for (std::size_t i = 0; i < count; ++i) {
            ++places[digit_of(i)];
        }
        std::exclusive_scan(places.begin(), places.end(), places.begin(), 0U);
        for (std::size_t i = 0; i < count; ++i) {
            const auto index = from == nullptr ? static_cast<std::uint32_t>(i) : from[i];
            to[places[digit_of(index)]++] = index;
        }
    };
    if constexpr (sizeof(image) == 1) {
        sort_by(1, nullptr, order);
    } else {
        const auto by_low = std::make_unique_for_overwrite<std::uint32_t[]>(count);
        sort_by(1, nullptr, by_low.get());
        sort_by(digits_of_bytes, by_low.get(), order);
    }
}

/// Adds how often each place occurs to `table`.
template <class Order, narrow_integer T>
void count_places(const T* first, std::size_t count, std::size_t* table) noexcept {
    std::size_t i = 0;
    if constexpr (sizeof(T) == 1) {  // equal neighbours would wait for each other in one table
        constexpr std::size_t tables = 4;
        std::array<std::array<std::size_t, Order::places>, tables> apart{};
        for (; i + tables <= count; i += tables) {
            for (std::size_t k = 0; k < tables; ++k) {
                ++apart[k][Order::of(first[i + k])];
            }
        }
        for (std::size_t place = 0; place < Order::places; ++place) {
            table[place] += apart[0][place] + apart[1][place] + apart[2][place] + apart[3][place];
        }
    }
    for (; i < count; ++i) {
        ++table[Order::of(first[i])];
    }
}

/// Writes the values [`begin`, `end`) of a sorted array at `first`, in which those of each place end at `ends[place]`.
template <class Order, narrow_integer T>
void write_sorted(T* first, std::size_t begin, std::size_t end, const std::size_t* ends) noexcept {
    auto place =
        static_cast<std::size_t>(std::upper_bound(ends, ends + Order::places, begin) - ends);
    for (; begin < end; ++place) {
        const std::size_t until = std::min(ends[place], end);
        std::fill(first + begin, first + until, Order::at(place));
        begin = until;
    }
}

/// Sorts `count` values in up to `threads` TBB threads. Returns false, without having sorted, if comparisons are faster
/// or there is no memory for the counts.
template <class Compare, narrow_integer T>
[[nodiscard]] bool sort_counted(T* first, std::size_t count, std::size_t threads) noexcept {
    using order = narrow_order<Compare, T>;
    constexpr bool is_byte = sizeof(T) == 1;
    constexpr std::size_t worth_counting = is_byte ? 0 : 4 * order::places;
    constexpr std::size_t worth_a_thread = is_byte ? 65'536 : 8 * order::places;
    if (count < worth_tables) {
        return false;
    }
    if (count < worth_counting) {
        const std::unique_ptr<T[]> copy{new (std::nothrow) T[count]};
        if (copy) {
            sort_by_bytes<order>(first, count, copy.get());
        }
        return copy != nullptr;
    }
    const std::size_t parts = std::clamp(count / worth_a_thread, std::size_t{1}, threads);
    const std::unique_ptr<std::size_t[]> counts{new (std::nothrow)
                                                    std::size_t[parts * order::places]()};
    if (!counts) {
        return false;
    }
    const auto in_parts = [&](const auto& run) {
        const auto run_some = [&](std::size_t part, std::size_t until) {
            for (; part != until; ++part) {
                run(part, count / parts * part,
                    part + 1 == parts ? count : count / parts * (part + 1));
            }
        };
        if (parts == 1) {
            run_some(0, 1);
        } else {
            in_threads(parts, 1, run_some);
        }
    };
    in_parts([&](std::size_t part, std::size_t begin, std::size_t end) {
        count_places<order>(first + begin, end - begin, counts.get() + part * order::places);
    });
    std::size_t* const ends = counts.get();
    for (std::size_t part = 1; part < parts; ++part) {
        for (std::size_t place = 0; place < order::places; ++place) {
            ends[place] += ends[part * order::places + place];
        }
    }
    std::partial_sum(ends, ends + order::places, ends);
    in_parts([&](std::size_t, std::size_t begin, std::size_t end) {
        write_sorted<order>(first, begin, end, ends);
    });
    return true;
}

}  // namespace pointsman::detail
