// SPDX-License-Identifier: Apache-2.0
// Prefix sums along the rows or down the columns of tables, in order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "algorithm/numbers.hpp"
#include "algorithm/wide_registers.hpp"
#include "pointsman/binding/host_algorithm.hpp"

namespace pointsman::python {

/// The type in which values of type `T` are added: integers wrap around.
template <class T>
using added_as = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;

/// Lines whose prefix sums are written, in order: rows if `inner` is 1, otherwise the columns of tables that are `inner`
/// values wide.
template <class In, class Out>
struct line_sums {
    const In* in;
    Out* out;
    std::size_t length;  ///< of a line, one at least
    std::size_t inner;
    const Out* initial;  ///< null if there is none
    bool is_exclusive;

    /// Returns the first inclusive sum of a line that begins with `value`.
    [[nodiscard]] added_as<Out> first(In value) const noexcept {
        const auto summand = static_cast<added_as<Out>>(value);
        return initial == nullptr ? summand : static_cast<added_as<Out>>(*initial) + summand;
    }
};

/// Writes the sums of `Count` lines, whose first values are `apart` values from each other, and neighbours in a line
/// `Step`. Each addition waits for the one before, so the processor adds up the other lines meanwhile.
template <std::size_t Count, std::size_t Step, class In, class Out>
void add_up_together(const line_sums<In, Out>& lines, std::size_t begin, std::size_t apart) {
    using added = added_as<Out>;
    const In* const in = lines.in + begin;
    Out* const out = lines.out + begin;
    added sums[Count];
    for (std::size_t each = 0; each < Count; ++each) {
        sums[each] =
            lines.is_exclusive ? static_cast<added>(*lines.initial) : lines.first(in[each * apart]);
        out[each * apart] = static_cast<Out>(sums[each]);
    }
    const std::size_t behind = lines.is_exclusive ? 1 : 0;
    for (std::size_t i = 1; i < lines.length; ++i) {
        for (std::size_t each = 0; each < Count; ++each) {
            sums[each] += static_cast<added>(in[each * apart + (i - behind) * Step]);
            out[each * apart + i * Step] = static_cast<Out>(sums[each]);
        }
    }
}

/// Writes the prefix sums of the columns [`begin`, `end`) of a table: each row is added to the sums above it.
template <class In, class Out>
struct column_sums {
    [[gnu::always_inline]] static void run(const line_sums<In, Out>* lines, std::size_t begin,
                                           std::size_t end) noexcept {
        using added = added_as<Out>;
        const std::size_t inner = lines->inner;
        const In* in = lines->in;
        Out* out = lines->out;
        for (std::size_t at = begin; at < end; ++at) {
            out[at] =
                lines->is_exclusive ? *lines->initial : static_cast<Out>(lines->first(in[at]));
        }
        if (!lines->is_exclusive) {
            in += inner;
        }
        for (std::size_t i = 1; i < lines->length; ++i, in += inner, out += inner) {
            const In* const values = in;
            const Out* const sums = out;
            Out* __restrict next = out + inner;
            for (std::size_t at = begin; at < end; ++at) {
                next[at] =
                    static_cast<Out>(static_cast<added>(sums[at]) + static_cast<added>(values[at]));
            }
        }
    }
};

/// Calls `add_up(begin, end)` for parts of [0, `count`), of `grain` at least if they are shared among threads. Returns
/// false if it raised a floating-point error.
template <class AddUp>
bool sum_in_threads(std::size_t count, std::size_t grain, bool is_parallel, const AddUp& add_up) {
    std::atomic<bool> has_failed{false};
    const auto add_up_asked = [&](std::size_t begin, std::size_t end) {
        std::feclearexcept(FE_ALL_EXCEPT);
        add_up(begin, end);
        if (std::fetestexcept(FE_OVERFLOW | FE_INVALID) != 0) {
            std::feclearexcept(FE_ALL_EXCEPT);
            has_failed = true;
        }
    };
    without_gil(is_parallel, [&] {
        if (is_parallel) {
            binding::in_threads(count, grain, add_up_asked);
        } else {
            add_up_asked(0, count);
        }
    });
    return !has_failed;
}

/// The number of values that are worth the start of a thread.
inline constexpr std::size_t least_of_thread = 16'384;

/// Writes the prefix sums of contiguous rows.
template <class In, class Out>
bool scan_rows(const line_sums<In, Out>& lines, std::size_t rows, bool is_parallel) {
    constexpr std::size_t at_once = 4;
    const std::size_t grain = std::max(least_of_thread / lines.length, at_once);
    return sum_in_threads(rows, grain, is_parallel, [&](std::size_t row, std::size_t end) {
        for (; row + at_once <= end; row += at_once) {
            add_up_together<at_once, 1>(lines, row * lines.length, lines.length);
        }
        for (; row < end; ++row) {
            add_up_together<1, 1>(lines, row * lines.length, lines.length);
        }
    });
}

/// Writes the prefix sums of all columns of tables with `Columns` of them.
template <std::size_t Columns, class In, class Out>
bool scan_narrow(const line_sums<In, Out>& lines, std::size_t outer, bool is_parallel) {
    const std::size_t table = lines.length * Columns;
    const std::size_t grain = std::max(least_of_thread / table, std::size_t{1});
    return sum_in_threads(outer, grain, is_parallel, [&](std::size_t at, std::size_t end) {
        for (; at < end; ++at) {
            add_up_together<Columns, Columns>(lines, at * table, 1);
        }
    });
}

/// Writes the prefix sums of all columns of `outer` tables.
template <class In, class Out>
bool scan_columns(const line_sums<In, Out>& lines, std::size_t outer, bool is_parallel) {
    switch (lines.inner) {  // registers hold the sums of few columns
        case 2:
            return scan_narrow<2>(lines, outer, is_parallel);
        case 3:
            return scan_narrow<3>(lines, outer, is_parallel);
        case 4:
            return scan_narrow<4>(lines, outer, is_parallel);
        default:
            break;
    }
    constexpr std::size_t most_columns = 2'048;  // two rows fit in the L1 cache
    constexpr std::size_t least_columns =
        384 / sizeof(Out);                                // bytes that the prefetcher keeps up with
    constexpr std::size_t cache_line = 64 / sizeof(Out);  // values
    constexpr std::size_t of_thread = 8 * least_of_thread;  // in vector registers
    const std::size_t columns_of_block =
        is_parallel ? std::clamp(of_thread / lines.length, least_columns, most_columns)
                    : most_columns;
    const std::size_t blocks = std::max(lines.inner / columns_of_block, std::size_t{1});
    const std::size_t block = (lines.inner / blocks / cache_line + 1) * cache_line;
    const auto write = loop_for_processor<column_sums<In, Out>, const line_sums<In, Out>*,
                                          std::size_t, std::size_t>();
    const std::size_t table = lines.length * lines.inner;
    const std::size_t grain = std::max(of_thread / table, std::size_t{1});
    return sum_in_threads(outer * blocks, grain, is_parallel, [&](std::size_t at, std::size_t end) {
        for (; at < end; ++at) {
            line_sums<In, Out> of_block = lines;
            of_block.in += at / blocks * table;
            of_block.out += at / blocks * table;
            const std::size_t begin = at % blocks * block;
            write(&of_block, begin, std::min(begin + block, lines.inner));
        }
    });
}

}  // namespace pointsman::python
