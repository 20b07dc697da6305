// SPDX-License-Identifier: Apache-2.0
// A type list of this library's policies, for code that covers all of them, such as tests and benchmarks.
#pragma once

#include "pointsman/policy/auto_tune_policy.hpp"
#include "pointsman/policy/dynamic_load_policy.hpp"
#include "pointsman/policy/earliest_finish_policy.hpp"
#include "pointsman/policy/fixed_resource_policy.hpp"
#include "pointsman/policy/random_policy.hpp"
#include "pointsman/policy/round_robin_policy.hpp"
#include "pointsman/policy/token_policy.hpp"
#include "pointsman/policy/weighted_round_robin_policy.hpp"

namespace pointsman {

template <template <class...> class... Policies>
struct policy_list {};

/// All policies of the library, to instantiate a template for each of them. The rule of each policy has its
/// `name`.
/// **Example**: `[]<template <class...> class... P>(policy_list<P...>) { ... }(provided_policies{});`
using provided_policies = policy_list<auto_tune_policy, dynamic_load_policy, earliest_finish_policy,
                                      fixed_resource_policy, random_policy, round_robin_policy,
                                      token_policy, weighted_round_robin_policy>;

}  // namespace pointsman
