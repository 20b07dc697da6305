// SPDX-License-Identifier: Apache-2.0
// Sorts numbers on the host, in vector registers where there is Highway, and in several threads.
#pragma once

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include "fairlead/algorithm/host_policy.hpp"
#include "fairlead/algorithm/host_split.hpp"
#include "fairlead/algorithm/order.hpp"
#include "fairlead/resource/tbb_threads.hpp"
#ifdef FAIRLEAD_WITH_HIGHWAY
#include <hwy/contrib/sort/vqsort.h>
#endif

namespace fairlead::detail {

/// Sorts numbers that are finite in the calling thread.
template <execution::host_policy P, class T, number_order<T> Compare>
void sort_alone(T* first, T* last, Compare compare) {
#ifdef FAIRLEAD_WITH_HIGHWAY
    using order = std::conditional_t<rising<Compare, T>, hwy::SortAscending, hwy::SortDescending>;
    if constexpr (!std::same_as<P, execution::sequenced_policy> &&
                  std::invocable<hwy::Sorter, T*, std::size_t, order>) {
        hwy::Sorter{}(first, static_cast<std::size_t>(last - first), order{});
        return;
    }
#endif
    std::sort(first, last, compare);
}

/// A value that about half of the others go before.
template <class T, class Compare>
[[nodiscard]] T pivot_of(const T* first, std::size_t count, const Compare& compare) {
    std::array<T, 1023> sample;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        sample[i] = first[count / sample.size() * i];
    }
    const auto middle = sample.begin() + sample.size() / 2;
    std::nth_element(sample.begin(), middle, sample.end(), compare);
    return *middle;
}

/// Sorts numbers that are finite in `threads` threads of TBB's: splits them around a pivot until each
/// thread has a part of its own.
template <execution::host_policy P, class T, class Compare>
void sort_in_threads(T* first, T* last, std::size_t threads, const Compare& compare) {
    constexpr std::size_t worth_a_thread = 16'384;
    const auto count = static_cast<std::size_t>(last - first);
    threads = std::min(threads, count / worth_a_thread);
    if (threads < 2) {
        sort_alone<P>(first, last, compare);
        return;
    }
    const T pivot = pivot_of(first, count, compare);
    T* const middle = split_in_parallel(first, last, threads,
                                        [&](const T& value) { return compare(value, pivot); });
    if (middle == first) {  // the pivot goes before all others: those that equal it are in place
        T* const others = split_in_parallel(first, last, threads,
                                            [&](const T& value) { return !compare(pivot, value); });
        sort_in_threads<P>(others, last, threads, compare);
        return;
    }
    const auto share = static_cast<std::size_t>(middle - first) * threads / count;
    const std::size_t of_left = std::clamp(share, std::size_t{1}, threads - 1);
    tbb::parallel_invoke([&] { sort_in_threads<P>(first, middle, of_left, compare); },
                         [&] { sort_in_threads<P>(middle, last, threads - of_left, compare); });
}

/// Moves the infinite values to the ends where `Compare` has them, NaN behind all, and returns where the
/// others, which alone Highway sorts, begin and end.
template <execution::host_policy P, class T, class Compare>
[[nodiscard]] std::pair<T*, T*> set_finite_apart(const P& policy, T* first, T* last,
                                                 std::size_t threads) {
    if constexpr (floating_number<T>) {
        const auto is_finite = [](const T& value) { return value - value == 0; };
        const auto finite = with_standard(policy, last - first, [&](const auto& chosen) {
            return std::count_if(chosen, first, last, is_finite);
        });
        if (finite != last - first) {
            constexpr T infinity = static_cast<T>(std::numeric_limits<float>::infinity());
            const T lowest = rising<Compare, T> ? -infinity : infinity;
            const auto split = [&](const auto& is_low) {
                return split_in_parallel(first, last, threads, is_low);
            };
            last = split([](const T& value) { return value == value; });
            first = split([&](const T& value) { return value == lowest; });
            last = split([&](const T& value) { return value != -lowest; });
        }
    }
    return {first, last};
}

/// Sorts numbers; NaN comes last.
template <execution::host_policy P, class T, number_order<T> Compare>
void sort_numbers(const P& policy, T* first, T* last, const Compare& compare) noexcept {
    std::size_t threads = 1;
    if constexpr (is_parallel_v<P>) {
        tbb_threads::note_use();
        threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    }
    const auto [begin, end] = set_finite_apart<P, T, Compare>(policy, first, last, threads);
    sort_in_threads<P>(begin, end, threads, compare);
}

}  // namespace fairlead::detail
