// SPDX-License-Identifier: Apache-2.0
// Counts values by bins on the host; each of several threads has counters of its own.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// The number of values in each bin; the last counter is for values in no bin.
using bin_counts = std::vector<std::uint64_t>;

/// Counts the values of [`first`, `last`) into `total`, which must be zero: in several threads if `P` is
/// parallel and the range is large enough.
template <execution::host_policy P, class It, class Bins>
void count_by_bins(It first, It last, const Bins& bins, bin_counts& total) {
    constexpr std::size_t worth_a_thread = 16'384;
    const auto count_part = [&](std::size_t begin, std::size_t end, bin_counts& into) {
        for (std::size_t i = begin; i != end; ++i) {
            ++into[bins.of(first[static_cast<std::iter_difference_t<It>>(i)])];
        }
    };
    const auto count = static_cast<std::size_t>(last - first);
    if (is_parallel_v<P> && count >= 2 * worth_a_thread) {
        tbb::enumerable_thread_specific<bin_counts> of_threads{total};
        in_threads_isolated(count, worth_a_thread, [&](std::size_t begin, std::size_t end) {
            count_part(begin, end, of_threads.local());
        });
        for (const bin_counts& one : of_threads) {
            std::ranges::transform(total, one, total.begin(), std::plus<>{});
        }
    } else {
        count_part(0, count, total);
    }
}

/// Writes the number of values in each of `bins` to the range from `out` on.
template <execution::host_policy P, class It, class Bins, class Out>
Out histogram_on_host(It first, It last, const Bins& bins, Out out) noexcept {
    bin_counts total(bins.count() + 1);
    if constexpr (indexed_iterator<It>) {
        count_by_bins<P>(first, last, bins, total);
    } else {
        for (; first != last; ++first) {
            ++total[bins.of(*first)];
        }
    }
    return std::transform(total.begin(), total.end() - 1, out, [](std::uint64_t count) {
        return static_cast<std::iter_value_t<Out>>(count);
    });
}

}  // namespace pointsman::detail
