// SPDX-License-Identifier: Apache-2.0
// The provided policies, functions that check each of them, and tasks that are reported instead of run.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace pointsman::test {

/// A kind of policy, as a value or type that tests take.
template <template <class...> class Policy>
struct kind_of {
    template <class Resource>
    using policy = Policy<Resource>;
    static constexpr auto name = policy<int>::state_type::name;

    /// Returns a policy that always has a free resource: if the policy limits the work of a resource, the limit
    /// is its first setting, and is set high enough.
    template <class Resource>
    static policy<Resource> over(const std::vector<Resource>& resources) {
        if constexpr (requires { requires policy<Resource>::state_type::notifies_always; }) {
            return policy<Resource>{resources, 10'000};
        } else {
            return policy<Resource>{resources};
        }
    }
};
using fixed_resource = kind_of<fixed_resource_policy>;
using round_robin = kind_of<round_robin_policy>;
using token = kind_of<token_policy>;

template <class Policies>
struct kinds_of;
template <template <class...> class... Policies>
struct kinds_of<policy_list<Policies...>> {
    using tuple = std::tuple<kind_of<Policies>...>;
};
template <class Kinds>
struct test_types;
template <class... Kinds>
struct test_types<std::tuple<Kinds...>> {
    using types = ::testing::Types<Kinds...>;
};
/// The kinds of all provided policies, and their names.
using every_kind = typename kinds_of<provided_policies>::tuple;
using policy_kinds = typename test_types<every_kind>::types;

/// The kinds that are combined with every kind of resource, and on which wrappers of policies are tested: one
/// that measures and never refuses work, and one that limits it.
using combined_kinds = std::tuple<kind_of<earliest_finish_policy>, token>;
using combined_policy_kinds = typename test_types<combined_kinds>::types;

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
    std::apply([&](auto... kinds) { (on(kinds), ...); }, every_kind{});
}

/// Calls `check(policy)` with one policy of each kind over `resources`.
template <class Resource, class Check>
void on_every_policy(const std::vector<Resource>& resources, Check check) {
    on_every_kind([&](auto kind) { check(kind.over(resources)); });
}

/// Calls `check(policy)` with one policy of each kind that counts outstanding work.
template <class Resource, class Check>
void on_every_counting_policy(const std::vector<Resource>& resources, Check check) {
    on_every_policy(resources, [&](auto policy) {
        if constexpr (requires { policy.loads(); }) {
            check(std::move(policy));
        }
    });
}

/// Lets `p` place one task and reports that it took `cost(resource)`. Returns the resource.
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
