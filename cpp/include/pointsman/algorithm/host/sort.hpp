// SPDX-License-Identifier: Apache-2.0
// Sorts numbers on the host, in vector registers if Highway is available, and in several threads.
#pragma once

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>

#include "pointsman/algorithm/detail/order.hpp"
#include "pointsman/algorithm/functors.hpp"
#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/algorithm/host/sort_counted.hpp"
#include "pointsman/algorithm/host/sort_image.hpp"
#include "pointsman/algorithm/host/split.hpp"
#include "pointsman/base/in_threads.hpp"
#include "pointsman/base/tbb_threads.hpp"
#ifdef POINTSMAN_WITH_HIGHWAY
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>
#endif

namespace pointsman::detail {

#ifdef POINTSMAN_WITH_HIGHWAY
/// Limits Highway to AVX2 on AMD's CPUs, in the whole process, unless its version has a target for Zen 4.
/// On Zen 4, the compressing stores of Highway's AVX-512 sorts are so slow that 32-bit numbers take five
/// times as long as with AVX2, although 64-bit numbers take two thirds of the time. All types must use
/// the same target, because it determines the size of a sorter's buffer.
inline void leave_out_slow_instructions() {
#if defined(__x86_64__) && !defined(HWY_AVX3_ZEN4)
    [[maybe_unused]] static const bool is_done = [] {
        if (__builtin_cpu_is("amd") != 0) {
            hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
        }
        return true;
    }();
#endif
}

/// Calls `Sorter`, which allocates memory, unless the values are so few that comparing them is faster. Returns whether
/// it has sorted them.
template <class T, class Order>
[[nodiscard]] bool sort_in_registers(T* first, T* last, Order order) {
    constexpr std::ptrdiff_t worth_a_sorter = 32;
    if (last - first < worth_a_sorter) {
        return false;
    }
    leave_out_slow_instructions();
    hwy::Sorter{}(first, static_cast<std::size_t>(last - first), order);
    return true;
}

using wide_integer = hwy::uint128_t;
#else
/// An unsigned integer of 128 bits.
struct wide_integer {
    std::uint64_t lo;
    std::uint64_t hi;
};
#endif

struct wide_less {
    [[nodiscard]] bool operator()(const wide_integer& a, const wide_integer& b) const noexcept {
        return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
    }
};

/// Sorts integers of 128 bits in the calling thread, in vector registers as `sort_alone` of numbers does.
template <execution::host_policy P>
void sort_alone(wide_integer* first, wide_integer* last, wide_less compare) {
#ifdef POINTSMAN_WITH_HIGHWAY
    if constexpr (!std::same_as<P, execution::sequenced_policy>) {
        if (sort_in_registers(first, last, hwy::SortAscending{})) {
            return;
        }
    }
#endif
    std::sort(first, last, compare);
}

/// Sorts numbers in the calling thread; integers in vector registers if Highway is available, the policy is not `seq`
/// and there are not too few of them.
template <execution::host_policy P, class T, class Compare>
void sort_alone(T* first, T* last, Compare compare) {
#ifdef POINTSMAN_WITH_HIGHWAY
    using order = std::conditional_t<rising<Compare, T>, hwy::SortAscending, hwy::SortDescending>;
    if constexpr (!std::same_as<P, execution::sequenced_policy> && std::integral<T> &&
                  number_order<Compare, T> && std::invocable<hwy::Sorter, T*, std::size_t, order>) {
        if (sort_in_registers(first, last, order{})) {
            return;
        }
    }
#endif
    std::sort(first, last, compare);
}

/// The number of values to sort or to split from which another thread is faster.
inline constexpr std::size_t values_worth_a_thread = 16'384;

/// The number of threads in which to sort or split `count` values under `P`, at least 1.
template <execution::host_policy P>
[[nodiscard]] std::size_t sorting_threads(std::size_t count) {
    if constexpr (is_parallel_v<P>) {
        if (count >= 2 * values_worth_a_thread) {
            tbb_threads::note_use();
            const auto most = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
            return std::min(most, count / values_worth_a_thread);
        }
    }
    return 1;
}

/// The number of values from which a pivot is estimated.
inline constexpr std::ptrdiff_t sample_size = 1023;

/// Returns the value that sorting a sample of the values would put at `place` in the sample.
template <class T, class Compare>
[[nodiscard]] T sampled(const T* first, std::size_t count, const Compare& compare,
                        std::ptrdiff_t place) {
    std::array<T, sample_size> sample;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        sample[i] = first[count / sample.size() * i];
    }
    const auto found = sample.begin() + place;
    std::nth_element(sample.begin(), found, sample.end(), compare);
    return *found;
}

/// Sorts numbers in `threads` TBB threads: splits them around pivots until each thread has its own part.
template <execution::host_policy P, class T, class Compare>
void sort_in_threads(T* first, T* last, std::size_t threads, const Compare& compare) {
    const auto count = static_cast<std::size_t>(last - first);
    threads = std::min(threads, count / values_worth_a_thread);
    if (threads < 2) {
        sort_alone<P>(first, last, compare);
        return;
    }
    const T pivot = sampled(first, count, compare, sample_size / 2);
    T* const middle = split_in_parallel(first, last, threads,
                                        [&](const T& value) { return compare(value, pivot); });
    if (middle == first) {  // the pivot is the smallest value: its equals go first and are done
        T* const others = split_in_parallel(first, last, threads,
                                            [&](const T& value) { return !compare(pivot, value); });
        sort_in_threads<P>(others, last, threads, compare);
        return;
    }
    const auto share = static_cast<std::size_t>(middle - first) * threads / count;
    const std::size_t of_left = std::clamp(share, std::size_t{1}, threads - 1);
    in_threads(2, 1, [&](std::size_t side, std::size_t until) {
        for (; side != until; ++side) {
            if (side == 0) {
                sort_in_threads<P>(first, middle, of_left, compare);
            } else {
                sort_in_threads<P>(middle, last, threads - of_left, compare);
            }
        }
    });
}

/// Replaces each of the `count` values of type `Read` at `first` by `convert(value)`, in TBB's threads if
/// `threads` is greater than 1.
template <class Read, class Convert>
void convert_in_place(void* first, std::size_t count, std::size_t threads, const Convert& convert) {
    constexpr std::size_t worth_a_thread = 65'536;
    const auto convert_part = [&](std::size_t begin, std::size_t end) {
        auto* const bytes = static_cast<std::byte*>(first);
        for (std::size_t at = begin * sizeof(Read); at != end * sizeof(Read); at += sizeof(Read)) {
            Read read;
            std::memcpy(&read, bytes + at, sizeof read);
            const auto converted = convert(read);
            static_assert(sizeof converted == sizeof read);
            std::memcpy(bytes + at, &converted, sizeof converted);
        }
    };
    if (threads < 2 || count < 2 * worth_a_thread) {
        convert_part(0, count);
    } else {
        in_threads(count, worth_a_thread, convert_part);
    }
}

/// Iterators of numbers in an array that are ordered by `Compare`, `<` or `>`.
template <class It, class Compare>
concept iterator_of_numbers = std::contiguous_iterator<It> &&
                              number_order<Compare, std::iter_value_t<It>> && requires(It it) {
                                  { std::to_address(it) } -> std::same_as<std::iter_value_t<It>*>;
                              };

/// Calls `run(first, count, threads, order)` for numbers, floating ones as integers that have the order of `sort`.
/// `run` may rearrange them. Isolated from what the caller's tasks run: the caller may hold a lock.
template <execution::host_policy P, class T, number_order<T> Compare, class Run>
void with_images(T* first, T* last, const Compare& compare, const Run& run) {
    const auto count = static_cast<std::size_t>(last - first);
    const std::size_t threads = sorting_threads<P>(count);
    const auto run_on_images = [&] {
        if constexpr (imaged_number<T>) {
            using image = sort_image<T, Compare>;
            using number = typename image::type;
            convert_in_place<typename image::bits>(first, count, threads,
                                                   [](auto bits) { return image::of(bits); });
            run(std::launder(reinterpret_cast<number*>(first)), count, threads, less{});
            convert_in_place<number>(first, count, threads,
                                     [](number each) { return image::back(each); });
        } else {
            run(first, count, threads, in_sort_order<T>(compare));
        }
    };
    if (threads > 1) {
        in_threads_isolated(1, 1, [&](std::size_t, std::size_t) { run_on_images(); });
    } else {
        run_on_images();
    }
}

/// Sorts images of numbers, or numbers that need none.
template <execution::host_policy P, class Number, class Order>
void sort_images(Number* first, std::size_t count, std::size_t threads, const Order& order) {
    if constexpr (narrow_integer<Number>) {
        if (sort_counted<Order>(first, count, threads)) {
            return;
        }
    }
    sort_in_threads<P>(first, first + count, threads, order);
}

/// Sorts numbers in place, floating numbers as integers in the same order; NaN comes last.
template <execution::host_policy P, class T, number_order<T> Compare>
void sort_numbers(const P&, T* first, T* last, const Compare& compare) noexcept {
    with_images<P>(first, last, compare,
                   [](auto* numbers, std::size_t count, std::size_t threads, const auto& order) {
                       sort_images<P>(numbers, count, threads, order);
                   });
}

}  // namespace pointsman::detail
