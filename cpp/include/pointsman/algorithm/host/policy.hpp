// SPDX-License-Identifier: Apache-2.0
// The standard library's execution policies in place of pointsman's.
#pragma once

#include <concepts>
#include <cstddef>
#include <execution>
#include <iterator>
#include <type_traits>

#include "pointsman/base/tbb_threads.hpp"
#include "pointsman/execution/host_policies.hpp"

namespace pointsman::detail {

/// The policy of the standard library that means the same. Its algorithms end the program
/// (`std::terminate`) when a function throws. Those of GCC's library that are parallel run on TBB.
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

/// The one that does the same in the calling thread.
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

/// One thread has done fewer steps, such as comparisons, before others are awake.
inline constexpr std::ptrdiff_t steps_worth_threads = 16'384;

/// `run(policy)` with a policy of the standard's, for work of so many `steps`.
template <execution::host_policy P, class Run>
auto with_standard(const P& policy, std::ptrdiff_t steps, const Run& run) {
    return steps < steps_worth_threads ? run(standard_alone(policy)) : run(standard(policy));
}

/// An iterator by which a value is found by its place, so that threads can have parts of a range each.
template <class It>
concept indexed_iterator = requires(It it, std::iter_difference_t<It> n) {
    { it - it } -> std::convertible_to<std::iter_difference_t<It>>;
    it + n;
    it[n];
};

template <execution::host_policy P>
inline constexpr bool is_parallel_v =
    std::same_as<std::remove_cvref_t<P>, execution::parallel_policy> ||
    std::same_as<std::remove_cvref_t<P>, execution::parallel_unsequenced_policy>;

}  // namespace pointsman::detail
