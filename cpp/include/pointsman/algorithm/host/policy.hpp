// SPDX-License-Identifier: Apache-2.0
// Maps pointsman's execution policies to the standard library's.
#pragma once

#include <concepts>
#include <cstddef>
#include <execution>
#include <iterator>
#include <memory>
#include <type_traits>

#include "pointsman/base/tbb_threads.hpp"
#include "pointsman/execution/host_policies.hpp"

namespace pointsman::detail {

/// The policy of the standard library with the same meaning. Its algorithms end the program
/// (`std::terminate`) if a function throws. GCC's parallel algorithms run on TBB.
template <execution::host_policy P>
[[nodiscard]] const auto& standard(const P&) noexcept {
    if constexpr (std::same_as<P, execution::sequenced_policy>) {
        return std::execution::seq;
    } else if constexpr (std::same_as<P, execution::parallel_policy>) {
        tbb_threads::note_use();
        return std::execution::par;
    } else if constexpr (std::same_as<P, execution::parallel_unsequenced_policy>) {
        tbb_threads::note_use();
        return std::execution::par_unseq;
    } else {
        return std::execution::unseq;
    }
}

/// The policy of the standard library that is like `P` in the calling thread.
template <execution::host_policy P>
[[nodiscard]] const auto& standard_alone(const P&) noexcept {
    using execution::parallel_policy;
    using execution::sequenced_policy;
    if constexpr (std::same_as<P, sequenced_policy> || std::same_as<P, parallel_policy>) {
        return std::execution::seq;
    } else {
        return std::execution::unseq;
    }
}

/// The number of steps, such as comparisons, from which several threads are faster than one.
inline constexpr std::ptrdiff_t steps_worth_threads = 16'384;

/// Calls `run(policy)` with a policy of the standard library, for work of `steps` steps.
template <execution::host_policy P, class Run>
auto with_standard(const P& policy, std::ptrdiff_t steps, const Run& run) {
    return steps < steps_worth_threads ? run(standard_alone(policy)) : run(standard(policy));
}

/// An iterator with access to values by index, so that threads can take blocks of a range.
template <class It>
concept indexed_iterator = requires(It it, std::iter_difference_t<It> n) {
    { it - it } -> std::convertible_to<std::iter_difference_t<It>>;
    it + n;
    it[n];
};

/// Iterators of an output that threads may write at once: objects that stand for values, as those of
/// std::vector<bool>, may share memory.
template <class Out>
concept shared_output = indexed_iterator<Out> && std::is_reference_v<std::iter_reference_t<Out>>;

/// Iterators of values that are side by side in memory, and as cheap to copy as a number.
template <class It>
concept iterator_of_small_values =
    std::contiguous_iterator<It> && std::copyable<std::iter_value_t<It>> &&
    std::is_trivially_copyable_v<std::iter_value_t<It>> &&
    std::is_trivially_default_constructible_v<std::iter_value_t<It>> &&
    sizeof(std::iter_value_t<It>) <= 16 && requires(It it) {
        { std::to_address(it) } -> std::convertible_to<const std::iter_value_t<It>*>;
    };

template <execution::host_policy P>
inline constexpr bool is_parallel_v =
    std::same_as<std::remove_cvref_t<P>, execution::parallel_policy> ||
    std::same_as<std::remove_cvref_t<P>, execution::parallel_unsequenced_policy>;

}  // namespace pointsman::detail
