// SPDX-License-Identifier: Apache-2.0
// Folds many values on the host, in one thread or several, with small rounding errors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "pointsman/algorithm/host/policy.hpp"
#include "pointsman/base/in_threads.hpp"

namespace pointsman::detail {

/// An array of the results of `make(i)` for each index `i`.
template <class T, std::size_t Size, class Make>
[[nodiscard]] std::array<T, Size> array_of(const Make& make) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<T, Size>{make(I)...};
    }(std::make_index_sequence<Size>{});
}

/// Folds `value(i)`, as a `T`, for the `count` indices beginning at `first`, at least one. Each block is
/// folded in as many lanes as a vector register may have, and the results of blocks are folded pairwise,
/// so that no value takes part in more than log2(count) + 32 roundings. Calls `value` in the order of the
/// indices.
template <class T, class Value, class F>
T fold_pairwise(std::size_t first, std::size_t count, const Value& value, const F& f) {
    constexpr std::size_t lanes = 16;
    constexpr std::size_t block = 32 * lanes;
    if (count > block) {
        const std::size_t of_left = (count / 2 + block - 1) / block * block;
        const T left = fold_pairwise<T>(first, of_left, value, f);
        return static_cast<T>(
            f(left, fold_pairwise<T>(first + of_left, count - of_left, value, f)));
    }
    if (count < lanes) {
        T folded = static_cast<T>(value(first));
        for (std::size_t i = 1; i < count; ++i) {
            folded = static_cast<T>(f(folded, static_cast<T>(value(first + i))));
        }
        return folded;
    }
    auto sums =
        array_of<T, lanes>([&](std::size_t lane) { return static_cast<T>(value(first + lane)); });
    std::size_t i = lanes;
    for (; i + lanes <= count; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sums[lane] = static_cast<T>(f(sums[lane], static_cast<T>(value(first + i + lane))));
        }
    }
    for (std::size_t lane = 0; i < count; ++i, ++lane) {
        sums[lane] = static_cast<T>(f(sums[lane], static_cast<T>(value(first + i))));
    }
    for (std::size_t width = lanes / 2; width != 0; width /= 2) {
        for (std::size_t lane = 0; lane < width; ++lane) {
            sums[lane] = static_cast<T>(f(sums[lane], sums[lane + width]));
        }
    }
    return sums[0];
}

/// Like `fold_pairwise` of `count` indices beginning at 0, in TBB's threads. What is folded with what depends only on
/// `count`: floating numbers have the same sum in every run, and on every number of threads.
template <class T, class Value, class F>
T fold_in_threads(std::size_t count, std::size_t worth_a_thread, const Value& value, const F& f) {
    constexpr std::size_t most_parts = 1'024;
    const std::size_t size = std::max(worth_a_thread, (count + most_parts - 1) / most_parts);
    std::vector<std::optional<T>> folds((count + size - 1) / size);
    in_threads_isolated(folds.size(), 1, [&](std::size_t part, std::size_t until) {
        for (; part != until; ++part) {
            const std::size_t first = part * size;
            folds[part].emplace(fold_pairwise<T>(first, std::min(size, count - first), value, f));
        }
    });
    const auto of_part = [&](std::size_t part) -> const T& { return *folds[part]; };
    return fold_pairwise<T>(0, folds.size(), of_part, f);
}

/// Returns the fold by `f` of `initial` and `value(i)` for all `i` below `count`. An exception ends the
/// program, as the standard requires of algorithms with a policy.
template <class T, class Value, class F>
T fold(bool in_parallel, std::size_t count, T initial, const Value& value, const F& f) noexcept {
    constexpr std::size_t worth_a_thread = 16'384;
    if (count == 0) {
        return initial;
    }
    if (!in_parallel || count < 2 * worth_a_thread) {
        return static_cast<T>(f(initial, fold_pairwise<T>(0, count, value, f)));
    }
    return static_cast<T>(f(initial, fold_in_threads<T>(count, worth_a_thread, value, f)));
}

/// Returns the fold by `f` of `initial` and `g(x, y...)` for each `x` of [`first`, `last`), where the `y`
/// are at the index of `x` in the ranges beginning at `others`.
template <execution::host_policy P, class It, class T, class F, class G, class... Others>
T fold_values(It first, It last, const T& initial, const F& f, const G& g,
              Others... others) noexcept {
    if constexpr (indexed_iterator<It> && (indexed_iterator<Others> && ...)) {
        const auto value = [&](std::size_t i) -> decltype(auto) {
            return g(first[static_cast<std::iter_difference_t<It>>(i)],
                     others[static_cast<std::iter_difference_t<Others>>(i)]...);
        };
        return fold(is_parallel_v<P>, static_cast<std::size_t>(last - first), initial, value, f);
    } else if constexpr (!std::forward_iterator<It>) {
        std::vector<T> values;  // the range can be read once, and how long it is shows at its end
        for (; first != last; ++first, (++others, ...)) {
            values.push_back(static_cast<T>(g(*first, *others...)));
        }
        const auto value = [&](std::size_t i) -> T { return values[i]; };
        return fold(false, values.size(), initial, value, f);
    } else {
        const auto count = static_cast<std::size_t>(std::distance(first, last));
        const auto next_value = [&](std::size_t) {
            const T value = static_cast<T>(g(*first, *others...));
            ++first;
            (++others, ...);
            return value;
        };
        return fold(false, count, initial, next_value, f);
    }
}

}  // namespace pointsman::detail
