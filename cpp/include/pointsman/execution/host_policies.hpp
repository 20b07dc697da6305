// SPDX-License-Identifier: Apache-2.0
// The execution policies of the standard: how an algorithm may run on the threads of the host.
#pragma once

#include <concepts>
#include <type_traits>

#include "pointsman/execution/is_execution_policy.hpp"

namespace pointsman {
namespace execution {

/// In the calling thread, one element after the other.
class sequenced_policy {};
/// In several threads; within each, one element after the other. Functions may lock. A few cheap
/// elements stay in the calling thread, so that this is at most a microsecond slower than `seq`.
class parallel_policy {};
/// In several threads and, within each, in the lanes of vector registers. Functions may not lock.
class parallel_unsequenced_policy {};
/// In the calling thread, in the lanes of vector registers. Functions may not lock.
class unsequenced_policy {};

/// They mean the same as in the standard.
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

/// A policy for the threads of the host, const or not, or a reference to one.
template <class P>
concept host_policy = std::same_as<std::remove_cvref_t<P>, sequenced_policy> ||
                      std::same_as<std::remove_cvref_t<P>, parallel_policy> ||
                      std::same_as<std::remove_cvref_t<P>, parallel_unsequenced_policy> ||
                      std::same_as<std::remove_cvref_t<P>, unsequenced_policy>;

}  // namespace execution
}  // namespace pointsman
