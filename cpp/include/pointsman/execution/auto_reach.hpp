// SPDX-License-Identifier: Apache-2.0
// Declares auto_policy, and where calls under it can run, so that algorithms need not include it.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "pointsman/execution/is_execution_policy.hpp"

namespace pointsman {
namespace execution {

class auto_policy;

/// Where a call of an algorithm can run.
enum class auto_reach : std::uint8_t { host, device, anywhere };

}  // namespace execution

template <>
struct is_execution_policy<execution::auto_policy> : std::true_type {};

namespace execution {

/// An execution policy that determines where an algorithm runs: any except `auto_policy`, which chooses
/// such a policy for each call.
template <class P>
concept placing_policy = is_execution_policy_v<P> && !std::same_as<P, auto_policy>;

}  // namespace execution
}  // namespace pointsman
