// SPDX-License-Identifier: Apache-2.0
// What holds for a replay of any workload under each provided policy, and how threads, waits and nesting go.
#include "pointsman/replay/replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/provided_policies.hpp"
#include "pointsman/replay/bound.hpp"
#include "random_workload.hpp"

namespace {

namespace pm = pointsman;
namespace replay = pointsman::replay;
using replay::action;

template <template <class...> class Policy>
replay::result replayed(const replay::workload& work, const std::vector<replay::place>& places) {
    if constexpr (std::is_same_v<typename Policy<int>::rule_type, pm::random_rule>) {
        return replay::replay<Policy>(work, places, std::uint64_t{7});
    } else {
        return replay::replay<Policy>(work, places);
    }
}

void for_each_policy(auto check) {
    [&]<template <class...> class... Policies>(pm::policy_list<Policies...>) {
        (check.template operator()<Policies>(), ...);
    }(pm::provided_policies{});
}

TEST(Replay, runs_each_task_once_under_every_policy) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const auto places = pm::testing::unlike_places(4);
        const auto work = pm::testing::random_workload(400, 4, seed);
        const auto bound = replay::makespan_bound(work, places);
        for_each_policy([&]<template <class...> class Policy> {
            SCOPED_TRACE(std::string{Policy<int>::rule_type::name} + ", seed " +
                         std::to_string(seed));
            const auto made = replayed<Policy>(work, places);
            std::vector<replay::usage> counted(places.size());
            for (std::size_t i = 0; i < work.size(); ++i) {
                const replay::placement& at = made.placements[i];
                EXPECT_LE(at.submitted, at.selected);
                EXPECT_LE(at.selected + double(places[at.place].latency.count()), at.started);
                // Shared hardware may slow a task down; it never becomes faster.
                EXPECT_GE(at.ended - at.started, work.time_on(i, at.place) - 1e-3);
                EXPECT_LE(at.ended, made.makespan);
                ++counted[at.place].tasks;
                counted[at.place].busy += at.ended - at.started;
            }
            for (std::size_t i = 0; i < places.size(); ++i) {
                EXPECT_EQ(made.places[i].tasks, counted[i].tasks);
                EXPECT_NEAR(made.places[i].busy, counted[i].busy, 1e-3 * counted[i].busy);
                EXPECT_LE(made.places[i].utilisation, 1 + 1e-9);
            }
            EXPECT_GE(made.makespan, bound * (1 - 1e-9));
        });
    }
}

TEST(Replay, gives_equal_results_for_equal_arguments) {
    const auto places = pm::testing::unlike_places(5);
    const auto work = pm::testing::random_workload(300, 5, 3);
    for_each_policy([&]<template <class...> class Policy> {
        SCOPED_TRACE(Policy<int>::rule_type::name);
        const auto first = replayed<Policy>(work, places);
        const auto second = replayed<Policy>(work, places);
        for (std::size_t i = 0; i < work.size(); ++i) {
            ASSERT_EQ(first.placements[i].place, second.placements[i].place);
            ASSERT_EQ(first.placements[i].ended, second.placements[i].ended);
        }
    });
}

/// `count` tasks of one kind that take `time(task, place)`.
replay::workload burst(std::uint32_t count, std::function<double(std::size_t, std::size_t)> time) {
    replay::workload work;
    work.kinds = {{1, 1}};
    work.kind_of.assign(count, 0);
    work.threads.resize(1);
    for (std::uint32_t i = 0; i < count; ++i) {
        work.threads[0].push_back({0, i, action::kind::submit});
    }
    work.time_on = std::move(time);
    return work;
}

const std::vector<replay::place> two_places{replay::place_with("a", 1), replay::place_with("b", 1)};

TEST(Replay, round_robin_takes_turns) {
    const auto work = burst(4, [](std::size_t, std::size_t place) { return place == 0 ? 10 : 30; });
    const auto made = replay::replay<pm::round_robin_policy>(work, two_places);
    EXPECT_DOUBLE_EQ(made.makespan, 60);
    EXPECT_DOUBLE_EQ(made.places[0].busy, 20);
    EXPECT_DOUBLE_EQ(made.places[1].utilisation, 1);
}

TEST(Replay, settings_reach_the_policy) {
    const auto work = burst(4, [](std::size_t, std::size_t) { return 10; });
    const auto made = replay::replay<pm::fixed_resource_policy>(work, two_places, std::size_t{1});
    EXPECT_EQ(made.places[1].tasks, 4U);
    EXPECT_THROW(static_cast<void>(
                     replay::replay<pm::fixed_resource_policy>(work, two_places, std::size_t{2})),
                 pm::resource_index_error);
}

TEST(Replay, a_policy_without_a_free_resource_delays_the_thread) {
    const auto work = burst(3, [](std::size_t, std::size_t) { return 10; });
    const auto made = replay::replay<pm::token_policy>(work, two_places);
    EXPECT_DOUBLE_EQ(made.placements[2].submitted, 0);
    EXPECT_DOUBLE_EQ(made.placements[2].selected, 10);
    EXPECT_DOUBLE_EQ(made.makespan, 20);
}

TEST(Replay, earliest_finish_learns_by_virtual_time) {
    const auto work =
        burst(2'000, [](std::size_t, std::size_t place) { return place == 0 ? 1e6 : 9e6; });
    const auto made = replay::replay<pm::earliest_finish_policy>(work, two_places);
    EXPECT_LT(made.makespan, 1.02 * replay::makespan_bound(work, two_places));
}

TEST(Replay, a_thread_computes_between_its_actions) {
    auto work = burst(2, [](std::size_t, std::size_t) { return 10; });
    work.threads[0] = {
        {5, 0, action::kind::submit}, {1, 0, action::kind::wait}, {7, 1, action::kind::submit}};
    const auto made = replay::replay<pm::round_robin_policy>(work, two_places);
    EXPECT_DOUBLE_EQ(made.placements[0].submitted, 5);
    EXPECT_DOUBLE_EQ(made.placements[1].submitted, 22);
}

TEST(Replay, waits_end_with_the_tasks_that_they_name) {
    auto work = burst(3, [](std::size_t task, std::size_t) { return task == 0 ? 100 : 10; });
    for (const auto& [wait, expected] :
         {std::pair{action{0, 1, action::kind::wait}, 10.0},
          std::pair{action{0, 2, action::kind::wait_for_own}, 100.0},
          std::pair{action{0, 2, action::kind::wait_for_all}, 100.0},
          std::pair{action{0, 0, action::kind::wait_for_own}, 0.0}}) {
        work.threads[0] = {{0, 0, action::kind::submit},
                           {0, 1, action::kind::submit},
                           wait,
                           {0, 2, action::kind::submit}};
        const auto made = replay::replay<pm::round_robin_policy>(work, two_places);
        EXPECT_DOUBLE_EQ(made.placements[2].submitted, expected);
    }
}

TEST(Replay, a_thread_may_wait_for_the_task_of_another_one) {
    auto work = burst(2, [](std::size_t, std::size_t) { return 10; });
    work.threads = {{{0, 1, action::kind::wait}, {0, 0, action::kind::submit}},
                    {{50, 1, action::kind::submit}}};
    const auto made = replay::replay<pm::round_robin_policy>(work, two_places);
    EXPECT_DOUBLE_EQ(made.placements[0].submitted, 60);
}

TEST(Replay, a_nested_task_follows_the_start_of_its_parent) {
    auto work = burst(3, [](std::size_t, std::size_t) { return 100; });
    work.threads[0] = {{0, 0, action::kind::submit}, {0, 1, action::kind::submit}};
    work.nested = {{1, 2, 0.25}};
    const auto one = std::vector{replay::place_with("a", 1)};
    const auto made = replay::replay<pm::round_robin_policy>(work, one);
    EXPECT_DOUBLE_EQ(made.placements[2].submitted, 125);
    EXPECT_DOUBLE_EQ(made.makespan, 300);
}

TEST(Replay, refuses_workloads_that_cannot_end) {
    auto work = burst(2, [](std::size_t, std::size_t) { return 10; });
    const auto run = [&] {
        static_cast<void>(replay::replay<pm::round_robin_policy>(work, two_places));
    };
    work.threads[0] = {{0, 0, action::kind::submit}, {0, 0, action::kind::submit}};
    EXPECT_THROW(run(), pm::invalid_option);
    work.threads[0] = {{0, 0, action::kind::submit}};
    EXPECT_THROW(run(), pm::invalid_option);
    work.threads[0] = {
        {0, 1, action::kind::wait}, {0, 0, action::kind::submit}, {0, 1, action::kind::submit}};
    EXPECT_THROW(run(), pm::invalid_option);
    EXPECT_THROW(static_cast<void>(replay::replay<pm::round_robin_policy>(work, {})),
                 pm::empty_resource_set);
}

TEST(Replay, placements_can_be_left_out) {
    const auto work = burst(8, [](std::size_t, std::size_t) { return 10; });
    pm::driven_rule<pm::round_robin_rule> rule{replay::domains_of(two_places)};
    const auto made = replay::run(work, two_places, rule, replay::placements::dropped);
    EXPECT_TRUE(made.placements.empty());
    EXPECT_DOUBLE_EQ(made.makespan, 40);
    EXPECT_EQ(made.places[0].tasks, 4U);
}

}  // namespace
