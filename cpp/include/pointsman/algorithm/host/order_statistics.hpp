// SPDX-License-Identifier: Apache-2.0
// Partitions, and the least numbers of an array, without branches that no CPU could predict, and in several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/host/split.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// `std::partition` of values that are cheap to copy, by a user's predicate.
template <execution::host_policy P, class T, class Predicate>
T* partition_values(const P&, T* first, T* last, const Predicate& predicate) noexcept {
    const auto is_low = [predicate](T& value) mutable -> bool { return predicate(value); };
    if constexpr (is_parallel_v<P>) {
        const auto count = static_cast<std::size_t>(last - first);
        const auto threads = sorting_threads<P>(count);
        if (threads > 1) {
            return split_in_parallel(
                first, last, threads, is_low,
                [](std::size_t parts, const auto& run) { in_threads_isolated(parts, 1, run); });
        }
    }
    return split_alone(first, last, is_low);
}

/// The first value for which a user's predicate does not hold.
template <class T, class Predicate>
[[nodiscard]] T* first_high(T* first, T* last, Predicate predicate) noexcept {
    while (first != last && predicate(*first)) {
        ++first;
    }
    return first;
}

/// `std::stable_partition` of values that are cheap to copy, by a user's predicate, which does not hold for the first.
/// Each part is written to `copy`, which is as long as the array, low values from its front and the others from its
/// back, and then to where it belongs.
template <execution::host_policy P, class T, class Predicate>
T* partition_values_stably(const P&, T* first, T* last, T* copy,
                           const Predicate& predicate) noexcept {
    const auto count = static_cast<std::size_t>(last - first);
    const std::size_t parts = sorting_threads<P>(count);
    // How many low values all parts before have, when the first loop is complete.
    std::vector<std::size_t> low(parts + 1);
    const auto begin_of = [&](std::size_t part) { return count / parts * part; };
    const auto end_of = [&](std::size_t part) {
        return part + 1 == parts ? count : begin_of(part + 1);
    };
    const auto for_parts = [&](const auto& run) {
        if (parts == 1) {
            run(0);
        } else {
            in_threads_isolated(parts, 1, [&](std::size_t part, std::size_t until) {
                for (; part != until; ++part) {
                    run(part);
                }
            });
        }
    };
    for_parts([&](std::size_t part) {
        Predicate own = predicate;
        T* front = copy + begin_of(part);
        T* back = copy + end_of(part);
        T* at = first + begin_of(part);
        if (part == 0) {
            *--back = *at++;
        }
        for (; at != first + end_of(part); ++at) {
            const std::ptrdiff_t is_low = own(*at) ? 1 : 0;
            *front = *at;
            back[-1] = *at;
            front += is_low;
            back -= 1 - is_low;
        }
        low[part + 1] = static_cast<std::size_t>(front - (copy + begin_of(part)));
    });
    std::partial_sum(low.begin(), low.end(), low.begin());
    T* const middle = first + low[parts];
    for_parts([&](std::size_t part) {
        const T* const of_part = copy + begin_of(part);
        const T* const others = of_part + (low[part + 1] - low[part]);
        std::copy(of_part, others, first + low[part]);
        std::reverse_copy(others, static_cast<const T*>(copy + end_of(part)),
                          middle + (begin_of(part) - low[part]));
    });
    return middle;
}

/// Estimates which value belongs at `place`. The estimate is off towards the longer side, so that most likely it leaves
/// the place in the shorter of the parts into which it splits the values.
template <class T, class Compare>
[[nodiscard]] T pivot_near(const T* first, std::size_t count, const Compare& compare,
                           std::size_t place) {
    constexpr std::ptrdiff_t usual_error = 24;  // 1.5 standard errors of the place in a sample
    const auto in_sample = static_cast<std::ptrdiff_t>(static_cast<double>(place) /
                                                       static_cast<double>(count) * sample_size);
    const bool is_low = place < count / 2;
    return sampled(first, count, compare,
                   std::clamp(in_sample + (is_low ? usual_error : -usual_error), std::ptrdiff_t{0},
                              sample_size - 1));
}

/// `std::nth_element`: splits the range around an estimate of the value that belongs at `nth`, until it is short.
template <class T, class Compare>
void put_nth(T* first, T* nth, T* last, std::size_t threads, const Compare& compare) {
    constexpr std::ptrdiff_t few = 4'096;
    constexpr int most_rounds = 64;  // each about halves the range, unless the values are contrived
    for (int round = 0; round < most_rounds && last - first > few; ++round) {
        const auto count = static_cast<std::size_t>(last - first);
        const T pivot = pivot_near(first, count, compare, static_cast<std::size_t>(nth - first));
        const auto split = [&](const auto& is_low) {
            const auto shared = std::min(threads, count / values_worth_a_thread);
            return shared > 1 ? split_in_parallel(first, last, shared, is_low)
                              : split_alone(first, last, is_low);
        };
        T* const middle = split([&](const T& value) { return compare(value, pivot); });
        if (nth < middle) {
            last = middle;
        } else if (middle != first) {
            first = middle;
        } else {  // the pivot is the smallest value: its equals go first and are done
            first = split([&](const T& value) { return !compare(pivot, value); });
            if (nth < first) {
                return;
            }
        }
    }
    std::nth_element(first, nth, last, compare);
}

/// `std::nth_element` of numbers in the order of `sort`.
template <execution::host_policy P, class T, number_order<T> Compare>
void put_nth_number(const P&, T* first, T* nth, T* last, const Compare& compare) noexcept {
    with_images<P>(first, last, compare,
                   [&]<class Number>(Number* numbers, std::size_t count, std::size_t threads,
                                     const auto& order) {
                       if constexpr (narrow_integer<Number>) {  // counting them sorts all as fast
                           sort_images<P>(numbers, count, threads, order);
                       } else {
                           put_nth(numbers, numbers + (nth - first), numbers + count, threads,
                                   order);
                       }
                   });
}

/// `std::partial_sort` of numbers in the order of `sort`.
template <execution::host_policy P, class T, number_order<T> Compare>
void sort_least_numbers(const P&, T* first, T* middle, T* last, const Compare& compare) noexcept {
    with_images<P>(first, last, compare,
                   [&]<class Number>(Number* numbers, std::size_t count, std::size_t threads,
                                     const auto& order) {
                       Number* const end = numbers + (middle - first);
                       if constexpr (narrow_integer<Number>) {
                           sort_images<P>(numbers, count, threads, order);
                       } else {
                           put_nth(numbers, end, numbers + count, threads, order);
                           sort_in_threads<P>(numbers, end, threads, order);
                       }
                   });
}

}  // namespace pointsman::detail
