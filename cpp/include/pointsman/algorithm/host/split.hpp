// SPDX-License-Identifier: Apache-2.0
// Partitions an array in place, in several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// Moves the values of [`first`, `last`) for which `is_low` holds to the front and returns the end of
/// these. It does not branch on `is_low`, because no CPU could predict such a branch.
template <class T, class IsLow>
T* split_alone(T* first, T* last, IsLow is_low) {
    T* past = first;
    for (T* at = first; at != last; ++at) {
        T value = *at;
        *at = *past;
        *past = value;
        past += is_low(value) ? 1 : 0;
    }
    return past;
}

/// Two blocks of `size` values to swap.
template <class T>
struct exchange {
    T* a;
    T* b;
    std::size_t size;
};

/// A block of an array after `split_alone`, whose result is `middle`.
template <class T>
struct split_run {
    T* first;
    T* middle;
    T* last;
};

/// The swaps that turn consecutive `runs` into one array split at `middle`. They exchange the high values
/// before `middle` with the low values after it, which are equally many.
template <class T>
[[nodiscard]] std::vector<exchange<T>> exchanges_of(const std::vector<split_run<T>>& runs,
                                                    T* middle) {
    constexpr std::ptrdiff_t most = 65'536;  // so that threads can share the work
    std::vector<exchange<T>> all;
    auto behind = runs.begin();
    T* low = nullptr;
    for (const split_run<T>& run : runs) {
        T* high = run.middle;
        T* const end = std::min(run.last, middle);
        while (high < end) {
            while (low == nullptr || low == behind->middle) {
                behind += low == nullptr ? 0 : 1;
                low = std::min(std::max(behind->first, middle), behind->middle);
            }
            const std::ptrdiff_t size = std::min({end - high, behind->middle - low, most});
            all.push_back({high, low, static_cast<std::size_t>(size)});
            high += size;
            low += size;
        }
    }
    return all;
}

/// Like `split_alone`, in `threads` TBB threads: each splits a block, then all swap the values that are on
/// the wrong side. `run_parts(count, run)` is like `in_threads(count, 1, run)`.
template <class T, class IsLow, class RunParts>
T* split_in_parallel(T* first, T* last, std::size_t threads, const IsLow& is_low,
                     const RunParts& run_parts) {
    const std::size_t count = static_cast<std::size_t>(last - first);
    std::vector<split_run<T>> runs(threads);
    run_parts(threads, [&](std::size_t i, std::size_t until) {
        for (; i != until; ++i) {
            T* const begin = first + count / threads * i;
            T* const end = i + 1 == threads ? last : begin + count / threads;
            runs[i] = {begin, split_alone(begin, end, is_low), end};
        }
    });
    T* middle = first;
    for (const split_run<T>& run : runs) {
        middle += run.middle - run.first;
    }
    const auto exchanges = exchanges_of(runs, middle);
    run_parts(exchanges.size(), [&](std::size_t i, std::size_t until) {
        for (; i != until; ++i) {
            const exchange<T>& two = exchanges[i];
            std::swap_ranges(two.a, two.a + two.size, two.b);
        }
    });
    return middle;
}
template <class T, class IsLow>
T* split_in_parallel(T* first, T* last, std::size_t threads, const IsLow& is_low) {
    return split_in_parallel(first, last, threads, is_low,
                             [](std::size_t count, const auto& run) { in_threads(count, 1, run); });
}

}  // namespace pointsman::detail
