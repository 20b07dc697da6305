// SPDX-License-Identifier: Apache-2.0
// The list of this library's policies, for whatever is done with each of them.
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

/// All of them; the `name` of one is that of its rule. Whoever passes the list on to a template of their own
/// has every policy at once: a test, a benchmark.
/// **Example**: `[]<template <class...> class... P>(policy_list<P...>) { ... }(provided_policies{});`
using provided_policies = policy_list<auto_tune_policy, dynamic_load_policy, earliest_finish_policy,
                                      fixed_resource_policy, random_policy, round_robin_policy,
                                      token_policy, weighted_round_robin_policy>;

}  // namespace pointsman
