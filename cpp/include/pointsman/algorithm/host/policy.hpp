// SPDX-License-Identifier: Apache-2.0
// Maps pointsman's execution policies to the standard library's.
#pragma once

#include <concepts>
#include <cstddef>
#include <execution>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "pointsman/base/in_threads.hpp"
#include "pointsman/execution/host_policies.hpp"

namespace pointsman::detail {

template <execution::host_policy P>
inline constexpr bool is_parallel_v =
    std::same_as<std::remove_cvref_t<P>, execution::parallel_policy> ||
    std::same_as<std::remove_cvref_t<P>, execution::parallel_unsequenced_policy>;

/// Whether functions may be called for several values at once, in the lanes of vector registers.
template <execution::host_policy P>
inline constexpr bool is_unsequenced_v =
    std::same_as<std::remove_cvref_t<P>, execution::unsequenced_policy> ||
    std::same_as<std::remove_cvref_t<P>, execution::parallel_unsequenced_policy>;

/// The policy of the standard library that is like `P` in the calling thread. Its algorithms end the program
/// (`std::terminate`) if a function throws.
template <execution::host_policy P>
[[nodiscard]] const auto& standard_alone(const P&) noexcept {
    if constexpr (is_unsequenced_v<P>) {
        return std::execution::unseq;
    } else {
        return std::execution::seq;
    }
}

/// The policy that is like `P` in the calling thread.
template <execution::host_policy P>
[[nodiscard]] const auto& in_calling_thread(const P&) noexcept {
    if constexpr (is_unsequenced_v<P>) {
        return execution::unseq;
    } else {
        return execution::seq;
    }
}

/// An iterator with access to values by index, so that threads can take blocks of a range.
template <class It>
concept indexed_iterator = requires(It it, std::iter_difference_t<It> n) {
    { it - it } -> std::convertible_to<std::iter_difference_t<It>>;
    it + n;
    it[n];
};

/// The iterator `n` places after `it`.
template <indexed_iterator It>
[[nodiscard]] It ahead(It it, std::size_t n) {
    return it + static_cast<std::iter_difference_t<It>>(n);
}

/// True for iterators whose elements are objects that stand for values, each for values of its own.
template <class It>
inline constexpr bool stands_for_its_own = false;

/// Iterators whose elements threads may change at once: objects that stand for values, as those of
/// std::vector<bool>, may share memory.
template <class It>
concept shared_output = indexed_iterator<It> &&
                        (std::is_reference_v<std::iter_reference_t<It>> || stands_for_its_own<It>);

/// Iterators whose elements threads may use at once: those of a `shared_output`, or values that cannot be changed.
template <class It>
concept shared_elements =
    shared_output<It> ||
    (indexed_iterator<It> && std::same_as<std::iter_reference_t<It>, std::iter_value_t<It>>);

/// Iterators of values that are side by side in memory, and as cheap to copy as a number.
template <class It>
concept iterator_of_small_values =
    std::contiguous_iterator<It> && std::copyable<std::iter_value_t<It>> &&
    std::is_trivially_copyable_v<std::iter_value_t<It>> &&
    std::is_trivially_default_constructible_v<std::iter_value_t<It>> &&
    sizeof(std::iter_value_t<It>) <= 16 && requires(It it) {
        { std::to_address(it) } -> std::convertible_to<const std::iter_value_t<It>*>;
    };

/// The number of steps, such as comparisons, from which several threads are faster than one.
inline constexpr std::ptrdiff_t steps_worth_threads = 16'384;

/// Returns `run(std::execution::par)`. GCC's parallel algorithms run on TBB: as a loop of their own, also inside a
/// cancelled loop of the caller.
template <class Run>
auto run_parallel(const Run& run) {
    using result = std::invoke_result_t<const Run&, const std::execution::parallel_policy&>;
    if constexpr (std::is_void_v<result>) {
        in_threads_isolated(1, 1, [&](std::size_t, std::size_t) { run(std::execution::par); });
    } else {
        std::optional<result> returned;
        in_threads_isolated(
            1, 1, [&](std::size_t, std::size_t) { returned.emplace(run(std::execution::par)); });
        return *std::move(returned);
    }
}

/// Calls `run(policy)` with `std::execution::seq`, or with `par` if `P` is parallel and several threads are faster for
/// the values of `first`, a pair of iterators, and `second`, which may be a second pair. For the algorithms that GCC's
/// library runs in threads, and whose loops no compiler runs in vector registers. Iterators of type `Changed` are those
/// whose elements are changed.
template <class... Changed, execution::host_policy P, class First, class Second, class Run>
auto with_standard(const P&, const std::pair<First, First>& first,
                   const std::pair<Second, Second>& second, const Run& run) {
    if constexpr (is_parallel_v<P> && indexed_iterator<First> && indexed_iterator<Second> &&
                  (shared_output<Changed> && ...)) {
        const std::ptrdiff_t steps = (first.second - first.first) + (second.second - second.first);
        if (steps >= steps_worth_threads) {
            return run_parallel(run);
        }
    }
    return run(std::execution::seq);
}
template <class... Changed, execution::host_policy P, class First, class Run>
auto with_standard(const P& policy, const std::pair<First, First>& first, const Run& run) {
    return with_standard<Changed...>(policy, first, std::pair{first.first, first.first}, run);
}

}  // namespace pointsman::detail
