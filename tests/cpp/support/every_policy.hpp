// SPDX-License-Identifier: Apache-2.0
// The provided policies, one check on each of them, and tasks that are told to a policy instead of run.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace pointsman::test {

template <template <class...> class Policy>
struct kind_of {
    template <class Resource>
    using policy = Policy<Resource>;
    /// A policy that has a free resource whatever a test has outstanding.
    template <class Resource>
    static policy<Resource> over(const std::vector<Resource>& resources) {
        return policy<Resource>{resources};
    }
};

// clang-format off
struct fixed : kind_of<fixed_resource_policy> { static constexpr auto name = "fixed"; };
struct round_robin : kind_of<round_robin_policy> { static constexpr auto name = "round_robin"; };
struct dynamic_load : kind_of<dynamic_load_policy> { static constexpr auto name = "dynamic_load"; };
struct auto_tune : kind_of<auto_tune_policy> { static constexpr auto name = "auto_tune"; };
struct random : kind_of<random_policy> { static constexpr auto name = "random"; };
struct weighted : kind_of<weighted_round_robin_policy> { static constexpr auto name = "weighted"; };
struct earliest_finish : kind_of<earliest_finish_policy> { static constexpr auto name = "earliest_finish"; };
// clang-format on
struct token : kind_of<token_policy> {
    static constexpr auto name = "token";
    template <class Resource>
    static policy<Resource> over(const std::vector<Resource>& resources) {
        return policy<Resource>{resources, 10'000};
    }
};

/// Every policy joins here.
using provided_policies = std::tuple<fixed, round_robin, dynamic_load, auto_tune, random, token,
                                     weighted, earliest_finish>;

/// The kinds of policy as `testing::Types`, and their names.
template <class Kinds>
struct as_types;
template <class... Kinds>
struct as_types<std::tuple<Kinds...>> {
    using type = ::testing::Types<Kinds...>;
};
using policy_kinds = typename as_types<provided_policies>::type;
struct kind_names {
    template <class Kind>
    static std::string GetName(int) {
        return Kind::name;
    }
};

/// Calls `check(kind)` with each kind of policy.
template <class Check>
void on_every_kind(Check check) {
    const auto on = [&]<class Kind>(Kind kind) {
        SCOPED_TRACE(Kind::name);
        check(kind);
    };
    std::apply([&](auto... kinds) { (on(kinds), ...); }, provided_policies{});
}

/// Calls `check(policy)` with one policy of each kind over `resources`.
template <class Resource, class Check>
void on_every_policy(const std::vector<Resource>& resources, Check check) {
    on_every_kind([&](auto kind) { check(kind.over(resources)); });
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

}  // namespace pointsman::test
