// SPDX-License-Identifier: Apache-2.0
// One check on each provided policy, and tasks that are told to a policy instead of run.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "fairlead/dynamic_selection.hpp"

namespace fairlead::test {

/// Calls `check(policy)` with one policy of each kind over `resources`.
template <class Resource, class Check>
void on_every_policy(const std::vector<Resource>& resources, Check check) {
    const auto named = [&](const char* name, auto policy) {
        SCOPED_TRACE(name);
        check(std::move(policy));
    };
    named("fixed", fixed_resource_policy<Resource>{resources});
    named("round_robin", round_robin_policy<Resource>{resources});
    named("dynamic_load", dynamic_load_policy<Resource>{resources});
    named("auto_tune", auto_tune_policy<Resource>{resources});
    named("random", random_policy<Resource>{resources});
    named("token", token_policy<Resource>{resources, 10000});
    named("weighted_round_robin", weighted_round_robin_policy<Resource>{resources});
    named("earliest_finish", earliest_finish_policy<Resource>{resources});
}

/// The same with those that count what is outstanding.
template <class Resource, class Check>
void on_every_counting_policy(const std::vector<Resource>& resources, Check check) {
    on_every_policy(resources, [&](auto policy) {
        if constexpr (requires { policy.loads(); }) {
            check(std::move(policy));
        }
    });
}

/// Lets `p` place one task and reports that it took `cost(resource)`. Gives back the resource.
template <class Policy, class Cost, class Task, class... Args>
auto tell(Policy& p, Cost cost, const Task& task, const Args&... args) {
    const auto chosen = p.select(task, args...);
    auto resource = unwrap(chosen);
    report(chosen, execution_info::task_submission);
    report(chosen, execution_info::task_time, std::chrono::nanoseconds{cost(resource)});
    report(chosen, execution_info::task_completion);
    return resource;
}

}  // namespace fairlead::test
