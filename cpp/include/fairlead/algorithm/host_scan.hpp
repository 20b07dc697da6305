// SPDX-License-Identifier: Apache-2.0
// Prefix sums, and those of other associative functions, on the host.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "fairlead/algorithm/host_policy.hpp"
#include "fairlead/resource/tbb_threads.hpp"

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

/// Several runs of values, one after the other, that one thread folds or scans at the same time: each
/// waits for its last sum only, so that together they take as long as the processor has work.
struct scan_piece {
    static constexpr std::size_t runs = 8;
    static constexpr std::size_t run_size = 8000;  // a power of two would meet itself in the caches
    static constexpr std::size_t size = runs * run_size;

    std::size_t first;
    std::size_t end;  ///< less than `first + size` in the last piece

    [[nodiscard]] bool is_full() const noexcept { return end - first == size; }
    [[nodiscard]] std::size_t begin_of(std::size_t run) const noexcept {
        return std::min(first + run * run_size, end);
    }

    /// The sum of each run; that of an empty one is none.
    template <class T, class Value, class F>
    void fold(std::optional<T>* sums, const Value& value, const F& f) const {
        if (is_full()) {
            std::array<T, runs> sum;
            for (std::size_t r = 0; r < runs; ++r) {
                sum[r] = value(first + r * run_size);
            }
            for (std::size_t i = first + 1; i < first + run_size; ++i) {
                for (std::size_t r = 0; r < runs; ++r) {
                    sum[r] = f(sum[r], value(i + r * run_size));
                }
            }
            std::copy_n(sum.begin(), runs, sums);
            return;
        }
        for (std::size_t r = 0; r < runs; ++r) {
            sums[r].reset();
            for (std::size_t i = begin_of(r); i < begin_of(r + 1); ++i) {
                sums[r] = sums[r] ? f(*sums[r], value(i)) : value(i);
            }
        }
    }

    /// `carries` has what comes before each run.
    template <class T, class Value, class F, class Write>
    void scan(const std::optional<T>* carries, const Value& value, const F& f,
              const Write& write) const {
        if (!is_full() || !carries[0]) {
            for (std::size_t r = 0; r < runs; ++r) {
                scan_in_order(begin_of(r), begin_of(r + 1), carries[r], value, f, write);
            }
            return;
        }
        std::array<T, runs> sum;
        for (std::size_t r = 0; r < runs; ++r) {
            sum[r] = *carries[r];
        }
        for (std::size_t i = first; i < first + run_size; ++i) {
            for (std::size_t r = 0; r < runs; ++r) {
                const T now = f(sum[r], value(i + r * run_size));
                write(i + r * run_size, sum[r], now);
                sum[r] = now;
            }
        }
    }
};

/// The same in TBB's threads, a stretch at a time that stays in their caches while it is folded and then
/// scanned: memory sees each value once. What is thrown ends the program, as the standard has it for
/// algorithms with a policy.
template <class T, class Value, class F, class Write>
void scan_in_parallel(std::size_t count, std::optional<T> carry, const Value& value, const F& f,
                      const Write& write) noexcept {
    tbb_threads::note_use();
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    std::vector<std::optional<T>> sums(threads * scan_piece::runs);
    const std::size_t stretch = threads * scan_piece::size;
    for (std::size_t start = 0; start < count; start += stretch) {
        const std::size_t end = std::min(start + stretch, count);
        const std::size_t pieces = (end - start + scan_piece::size - 1) / scan_piece::size;
        const auto piece = [&](std::size_t p) {
            const std::size_t first = start + p * scan_piece::size;
            return scan_piece{first, std::min(first + scan_piece::size, end)};
        };
        const auto place = [&](std::size_t p) { return sums.data() + p * scan_piece::runs; };
        tbb::parallel_for(std::size_t{0}, pieces,
                          [&](std::size_t p) { piece(p).fold(place(p), value, f); });
        for (auto* run = place(0); run != place(pieces); ++run) {
            const std::optional<T> sum = std::exchange(*run, carry);
            carry = carry && sum ? f(*carry, *sum) : sum ? sum : carry;
        }
        tbb::parallel_for(std::size_t{0}, pieces,
                          [&](std::size_t p) { piece(p).scan(place(p), value, f, write); });
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
