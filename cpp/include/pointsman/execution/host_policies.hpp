// SPDX-License-Identifier: Apache-2.0
// The execution policies seq, par, par_unseq and unseq: how an algorithm may use the host's threads.
#pragma once

#include <concepts>
#include <type_traits>

#include "pointsman/execution/is_execution_policy.hpp"

namespace pointsman {
namespace execution {

/// Runs in the calling thread, one element after the other.
class sequenced_policy {};
/// Runs in several threads, within each one element after the other. Functions may lock. The calling
/// thread processes the first elements, and all of them if they are cheap and few, so that `par` is then
/// at most a microsecond slower than `seq`.
class parallel_policy {};
/// Runs in several threads and, within each, in the lanes of vector registers. Functions must not lock.
class parallel_unsequenced_policy {};
/// Runs in the calling thread, in the lanes of vector registers. Functions must not lock.
class unsequenced_policy {};

/// They have the same meaning as the objects of these names in `std::execution`.
/// Source: *C++ Standard Aligned Execution Policies* in the execution policies document.
inline constexpr sequenced_policy seq{};
inline constexpr parallel_policy par{};
inline constexpr parallel_unsequenced_policy par_unseq{};
inline constexpr unsequenced_policy unseq{};

}  // namespace execution

template <>
struct is_execution_policy<execution::sequenced_policy> : std::true_type {};
template <>
struct is_execution_policy<execution::parallel_policy> : std::true_type {};
template <>
struct is_execution_policy<execution::parallel_unsequenced_policy> : std::true_type {};
template <>
struct is_execution_policy<execution::unsequenced_policy> : std::true_type {};

namespace execution {

/// A policy for the threads of the host or a reference to one, const or not.
template <class P>
concept host_policy = std::same_as<std::remove_cvref_t<P>, sequenced_policy> ||
                      std::same_as<std::remove_cvref_t<P>, parallel_policy> ||
                      std::same_as<std::remove_cvref_t<P>, parallel_unsequenced_policy> ||
                      std::same_as<std::remove_cvref_t<P>, unsequenced_policy>;

}  // namespace execution
}  // namespace pointsman
