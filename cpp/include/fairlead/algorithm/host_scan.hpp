// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and those of other associative functions, on the host.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <vector>

#include "fairlead/algorithm/host_policy.hpp"

namespace fairlead::detail {

/// Scans `value(i)` for the indices of [`begin`, `end`), after `carry` where there is one, and returns the
/// last sum. `write(i, before, now)` is told of the sums without and with the value at `i`.
template <class T, class Value, class F, class Write>
std::optional<T> scan_in_order(std::size_t begin, std::size_t end, std::optional<T> carry,
                               const Value& value, const F& f, const Write& write) {
    std::size_t i = begin;
    if (!carry && i != end) {
        carry.emplace(value(i));
        write(i, *carry, *carry);
        ++i;
    }
    if (i != end) {
        T sum = *carry;
        for (; i != end; ++i) {
            const T now = f(sum, value(i));
            write(i, sum, now);
            sum = now;
        }
        carry = sum;
    }
    return carry;
}

/// The same in TBB's threads, a stretch at a time that stays in their caches while it is folded and then
/// scanned: memory sees each value once. What is thrown ends the program, as the standard has it for
/// algorithms with a policy.
template <class T, class Value, class F, class Write>
void scan_in_parallel(std::size_t count, std::optional<T> carry, const Value& value, const F& f,
                      const Write& write) noexcept {
    constexpr std::size_t piece = 32'768;
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    std::vector<std::optional<T>> sums(threads);
    for (std::size_t start = 0; start < count; start += threads * piece) {
        const std::size_t pieces = std::min(threads, (count - start + piece - 1) / piece);
        const auto begin = [&](std::size_t p) { return std::min(start + p * piece, count); };
        tbb::parallel_for(std::size_t{0}, pieces - 1, [&](std::size_t p) {
            T sum = value(begin(p));
            for (std::size_t i = begin(p) + 1; i != begin(p + 1); ++i) {
                sum = f(sum, value(i));
            }
            sums[p] = sum;
        });
        for (std::size_t p = 0; p + 1 < pieces; ++p) {  // each becomes what comes before its piece
            const T sum = *sums[p];
            sums[p] = carry;
            carry = carry ? f(*carry, sum) : sum;
        }
        sums[pieces - 1] = carry;
        std::optional<T> last;
        tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t p) {
            auto end = scan_in_order(begin(p), begin(p + 1), sums[p], value, f, write);
            if (p == pieces - 1) {
                last = end;
            }
        });
        carry = last;
    }
}

template <class T, class Value, class F, class Write>
void scan(bool in_parallel, std::size_t count, std::optional<T> initial, const Value& value,
          const F& f, const Write& write) noexcept {
    constexpr std::size_t worth_threads = 65'536;
    if (in_parallel && count >= worth_threads) {
        scan_in_parallel(count, initial, value, f, write);
    } else {
        scan_in_order(std::size_t{0}, count, initial, value, f, write);
    }
}

/// The values are folded as `T`s.
template <class P, class T, class In, class Out, class F, class G>
Out inclusive_scan_on_host(In first, In last, Out out, const F& f, const G& g,
                           std::optional<T> initial) {
    const auto count = static_cast<std::size_t>(last - first);
    scan<T>(
        is_parallel_v<P>, count, initial,
        [&](std::size_t i) -> T { return g(first[static_cast<std::iter_difference_t<In>>(i)]); }, f,
        [&](std::size_t i, const T&, const T& now) {
            out[static_cast<std::iter_difference_t<Out>>(i)] = now;
        });
    return out + static_cast<std::iter_difference_t<Out>>(count);
}

}  // namespace fairlead::detail
