// SPDX-License-Identifier: Apache-2.0
// What a recording says of a program: its threads, its resources, and the times of its tasks.
#include "pointsman/replay/recorded_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/policy/provided_policies.hpp"
#include "pointsman/replay/recording_of.hpp"
#include "pointsman/replay/replay.hpp"

namespace {

namespace pm = pointsman;
namespace replay = pointsman::replay;
using pm::trace::event_kind;
using replay::action;

pm::clock::time_point at(std::int64_t time) {
    return pm::clock::time_point{pm::clock::duration{time}};
}

/// Writes a recording. Names of tasks and resources: "a" is 1, "b" 2, "gpu" 3, "cpu" 4, "policy" 5.
struct writer {
    pm::trace::recording made{.names = {"", "a", "b", "gpu", "cpu", "policy"}};

    struct times {
        std::int64_t submitted;
        std::optional<std::int64_t> started;
        std::optional<std::int64_t> ended;
    };
    void task(std::uint64_t number, std::uint32_t name, std::uint32_t resource, times when,
              std::uint32_t thread = 1, std::uint32_t worker = 9, std::uint64_t sizes = 0) {
        add({.time = at(when.submitted),
             .task = number,
             .sizes = sizes,
             .name = name,
             .thread = thread});
        add({.time = at(when.submitted),
             .task = number,
             .resource = resource,
             .policy = 5,
             .thread = thread,
             .kind = event_kind::selection});
        if (when.started) {
            add({.time = at(*when.started),
                 .task = number,
                 .thread = worker,
                 .kind = event_kind::start});
        }
        if (when.ended) {
            add({.time = at(*when.ended),
                 .task = number,
                 .thread = worker,
                 .kind = event_kind::end});
        }
    }
    void wait(std::uint64_t task, std::int64_t begin, std::int64_t end, std::uint32_t thread = 1) {
        add({.time = at(begin),
             .duration = pm::clock::duration{end - begin},
             .task = task,
             .thread = thread,
             .kind = event_kind::wait});
    }
    void add(const pm::trace::event& each) { made.events.push_back(each); }
    [[nodiscard]] replay::recorded_run run(std::vector<replay::recorded_place> places = {}) {
        made.put_in_order();
        return replay::recorded(made, std::move(places));
    }
};

std::string text_of(const std::vector<action>& actions) {
    std::string text;
    for (const action& each : actions) {
        constexpr const char* names[] = {"submit", "wait", "own", "all"};
        text += (text.empty() ? "" : " ") + std::to_string(static_cast<int>(each.gap)) + ":" +
                names[static_cast<int>(each.what)] + std::to_string(each.number);
    }
    return text;
}

TEST(RecordedRun, a_thread_computes_between_its_submissions_and_waits) {
    writer written;
    written.task(1, 1, 3, {100, 101, 150});
    written.wait(1, 120, 155);
    written.task(2, 1, 3, {170, 171, 190});
    const auto run = written.run();
    ASSERT_EQ(run.work.threads.size(), 2U);  // the worker does nothing of its own
    // The wait ended with the task; what it took to wake is the thread's own time.
    EXPECT_EQ(text_of(run.work.threads[0]), "0:submit0 20:own1 20:submit1");
    EXPECT_DOUBLE_EQ(run.original.makespan, 90);
}

TEST(RecordedRun, work_in_the_call_of_submit_is_waited_for) {
    writer written;
    written.task(1, 1, 3, {100, 100, 150}, 1, 1);
    written.task(2, 1, 3, {160, 160, 180}, 1, 1);
    EXPECT_EQ(text_of(written.run().work.threads[0]), "0:submit0 0:wait0 10:submit1 0:wait1");
}

TEST(RecordedRun, a_wait_covers_earlier_tasks_that_had_ended) {
    writer written;
    written.task(1, 1, 3, {0, 1, 10}, 1, 8);
    written.task(2, 1, 3, {0, 1, 30}, 1, 9);
    written.task(3, 1, 3, {0, 1, 90}, 1, 10);
    written.wait(2, 5, 31);
    EXPECT_EQ(text_of(written.run().work.threads[0]), "0:submit0 0:submit1 0:submit2 5:own2");
}

TEST(RecordedRun, a_thread_that_keeps_two_tasks_outstanding_does_so_where_it_did_not_block) {
    writer written;
    for (int i = 0; i < 8; ++i) {
        const auto number = static_cast<std::uint64_t>(i) + 1;
        // A wait for a task two before; it leaves no event where that has ended, as before the sixth one.
        if (i >= 2 && i != 5) {
            written.wait(number - 2, 100 * i - 10, 100 * i - 5);
        }
        const std::int64_t end = 100 * i + (i == 3 ? 150 : 194);
        written.task(number, 1, 3, {100 * i, 100 * i + 1, end}, 1,
                     8 + static_cast<std::uint32_t>(i));
    }
    EXPECT_THAT(
        text_of(written.run().work.threads[0]),
        testing::StartsWith("0:submit0 100:submit1 90:own1 6:submit2 90:own2 6:submit3 90:own3 "
                            "6:submit4 100:own4 0:submit5 90:own5 6:submit6"));
}

TEST(RecordedRun, a_wait_out_of_order_is_for_one_task) {
    writer written;
    written.task(1, 1, 3, {0, 1, 90}, 1, 8);
    written.task(2, 1, 3, {0, 1, 30}, 1, 9);
    written.wait(2, 5, 31);
    EXPECT_EQ(text_of(written.run().work.threads[0]), "0:submit0 0:submit1 5:wait1");
}

TEST(RecordedRun, a_group_is_waited_for_as_a_whole) {
    writer written;
    written.task(1, 1, 3, {0, 1, 20}, 1, 8);
    written.task(2, 1, 3, {0, 1, 30}, 2, 9);
    written.wait(0, 5, 31);
    EXPECT_EQ(text_of(written.run().work.threads[0]), "0:submit0 5:all2");
}

TEST(RecordedRun, a_wait_for_a_free_resource_is_left_to_the_policy) {
    writer written;
    written.task(1, 1, 3, {0, 1, 40}, 1, 8);
    written.add({.time = at(10), .task = 2, .name = 1, .thread = 1});
    written.add(
        {.time = at(40), .task = 2, .resource = 3, .thread = 1, .kind = event_kind::selection});
    written.wait(0, 12, 39);
    written.task(3, 1, 3, {50, 51, 60}, 1, 8);
    EXPECT_EQ(text_of(written.run().work.threads[0]), "0:submit0 10:submit1 11:submit2");
}

TEST(RecordedRun, a_task_that_a_task_submits_is_nested) {
    writer written;
    written.task(1, 1, 3, {0, 10, 110}, 1, 9);
    written.task(2, 2, 4, {35, 40, 60}, 9, 8);
    const auto run = written.run();
    ASSERT_EQ(run.work.nested.size(), 1U);
    EXPECT_EQ(run.work.nested[0].parent, 0U);
    EXPECT_EQ(run.work.nested[0].number, 1U);
    EXPECT_DOUBLE_EQ(run.work.nested[0].part, 0.25);
    const auto made = replay::replay<pm::round_robin_policy>(run.work, run.places);
    EXPECT_DOUBLE_EQ(made.placements[1].submitted, made.placements[0].started + 25);
}

TEST(RecordedRun, a_task_has_its_own_time_on_its_own_resource) {
    writer written;
    written.task(1, 1, 3, {0, 0, 10}, 1, 8);
    written.task(2, 1, 3, {20, 20, 50}, 1, 8);
    written.task(3, 1, 4, {60, 60, 61}, 1, 8);
    written.task(4, 1, 4, {70, 70, 75}, 1, 8);
    const auto run = written.run();
    EXPECT_DOUBLE_EQ(run.work.time_on(0, 0), 10);
    EXPECT_DOUBLE_EQ(run.work.time_on(1, 0), 30);
    // ... and elsewhere the time of the same rank.
    EXPECT_DOUBLE_EQ(run.work.time_on(0, 1), 1);
    EXPECT_DOUBLE_EQ(run.work.time_on(1, 1), 5);
    EXPECT_DOUBLE_EQ(run.work.time_on(2, 0), 10);
    EXPECT_EQ(run.measured, 2U);
    EXPECT_EQ(run.predicted + run.assumed, 0U);
}

TEST(RecordedRun, a_kind_without_a_time_on_a_resource_takes_the_usual_ratio) {
    writer written;
    written.task(1, 1, 3, {0, 0, 100}, 1, 8);
    written.task(2, 1, 4, {200, 200, 250}, 1, 8);
    written.task(3, 2, 3, {300, 300, 700}, 1, 8);
    const auto run = written.run();
    EXPECT_DOUBLE_EQ(run.work.time_on(2, 1), 200);
    EXPECT_EQ(run.measured, 3U);
    EXPECT_EQ(run.predicted, 1U);
}

TEST(RecordedRun, another_size_of_the_callable_predicts_by_the_cost_model) {
    writer written;
    std::int64_t time = 0;
    const auto run_task = [&](std::uint64_t number, std::uint32_t resource, std::int64_t length,
                              std::uint64_t size) {
        written.task(number, 1, resource, {time, time, time + length}, 1, 8, 257 + size);
        time += length + 10;
    };
    run_task(1, 3, 1'000, 10);
    run_task(2, 4, 3'000, 10);
    run_task(3, 3, 2'000, 11);
    const auto run = written.run();
    EXPECT_EQ(run.predicted, 1U);
    EXPECT_NEAR(run.work.time_on(2, 1), 6'000, 600);
}

TEST(RecordedRun, a_resource_has_as_many_slots_as_it_ran_tasks_at_a_time) {
    writer written;
    written.task(1, 1, 3, {0, 1, 10}, 1, 8);
    written.task(2, 1, 3, {0, 1, 10}, 1, 9);
    written.task(3, 1, 3, {0, 10, 20}, 1, 8);
    written.task(4, 1, 4, {0, 1, 10}, 1, 10);
    const auto run = written.run();
    EXPECT_EQ(run.places[0].hardware.slots, 2U);
    EXPECT_EQ(run.places[1].hardware.slots, 1U);
}

TEST(RecordedRun, without_starts_a_resource_runs_one_task_at_a_time) {
    writer written;
    written.task(1, 1, 3, {0, {}, 10});
    written.task(2, 1, 3, {0, {}, 30});
    const auto run = written.run();
    EXPECT_DOUBLE_EQ(run.work.time_on(1, 0), 20);
    const auto wide = written.run({{.name = "gpu", .slots = 2}});
    EXPECT_DOUBLE_EQ(wide.work.time_on(1, 0), 30);
}

TEST(RecordedRun, places_can_be_chosen_renamed_and_made_faster) {
    writer written;
    written.task(1, 1, 3, {0, 0, 10}, 1, 8);
    written.task(2, 1, 4, {0, 0, 40}, 1, 9);
    const auto run =
        written.run({{.name = "cpu"}, {.name = "new", .like = "gpu", .ratio = 0.5, .slots = 3}});
    ASSERT_EQ(run.places.size(), 2U);
    EXPECT_DOUBLE_EQ(run.work.time_on(0, 0), 40);
    EXPECT_DOUBLE_EQ(run.work.time_on(0, 1), 5);
    EXPECT_EQ(run.places[1].hardware.slots, 3U);
}

TEST(RecordedRun, errors_name_the_value_and_the_remedy) {
    const auto message_of = [](const std::function<void()>& call) -> std::string {
        try {
            call();
        } catch (const pm::invalid_option& error) {
            return error.what();
        }
        return "";
    };
    writer written;
    EXPECT_THAT(message_of([&] { static_cast<void>(written.run()); }),
                testing::HasSubstr("let the recorded block wait"));
    written.task(1, 1, 3, {0, 0, 10}, 1, 8);
    EXPECT_THAT(message_of([&] { static_cast<void>(written.run({{.name = "tpu"}})); }),
                testing::HasSubstr("no resource 'tpu': pass one of these: gpu"));
    EXPECT_THAT(message_of([&] { static_cast<void>(written.run({{.name = "gpu", .ratio = 0}})); }),
                testing::HasSubstr("pass a positive ratio"));
}

TEST(RecordedRun, a_replay_of_the_same_choices_takes_as_long) {
    writer written;
    for (int i = 0; i < 20; ++i) {
        const std::int64_t time = 100 * i;
        const auto number = static_cast<std::uint64_t>(2 * i);
        written.task(number + 1, 1, 3, {time, time + 1, time + 40 + i}, 1, 8);
        written.task(number + 2, 1, 4, {time, time + 1, time + 80 + i}, 1, 9);
        written.wait(number + 2, time + 5, time + 80 + i);
    }
    const auto run = written.run();
    const auto made = replay::replay<pm::round_robin_policy>(run.work, run.places);
    EXPECT_NEAR(made.makespan, run.original.makespan, 0.01 * run.original.makespan);
    const auto recorded = replay::recording_of(made, written.made, run.places, "round_robin");
    const auto tasks = recorded.tasks();
    ASSERT_EQ(tasks.size(), 40U);
    EXPECT_EQ(recorded.name_of(tasks[1].resource), "cpu");
    EXPECT_EQ(recorded.name_of(tasks[1].policy), "round_robin");
    EXPECT_EQ(recorded.name_of(tasks[1].name), "a");
}

/// A program that keeps six tasks of three kinds outstanding, whose times on three places vary by 20 %.
replay::workload steady_program() {
    constexpr std::uint32_t count = 900;
    constexpr std::uint32_t window = 6;
    replay::workload work;
    work.kinds = {{1, 0}, {2, 0}, {3, 0}};
    work.threads.resize(1);
    for (std::uint32_t i = 0; i < count; ++i) {
        work.kind_of.push_back(i / 3 % 3);  // each kind on each place in turn
        if (i >= window) {
            work.threads[0].push_back({0, i - window, action::kind::wait});
        }
        work.threads[0].push_back({2'000, i, action::kind::submit});
    }
    work.time_on = [](std::size_t task, std::size_t place) {
        const std::size_t bits = (task * 3 + place) * 0x9e3779b97f4a7c15ULL >> 40U;
        const double noise = 0.8 + 0.4 * static_cast<double>(bits % 1'000) / 1'000;
        return 1e5 * (1.0 + static_cast<double>(task / 3 % 3)) *
               (1.0 + static_cast<double>(place)) * noise;
    };
    return work;
}

TEST(RecordedRun, a_recording_under_one_policy_foretells_the_others_within_ten_percent) {
    const replay::workload program = steady_program();
    const std::vector<replay::place> places{replay::place_with("gpu", 1),
                                            replay::place_with("cpu", 1),
                                            replay::place_with("policy", 1)};
    const auto seen = replay::replay<pm::round_robin_policy>(program, places);
    writer written;
    for (std::uint32_t i = 0; i < program.size(); ++i) {
        const auto ns = [](double time) { return static_cast<std::int64_t>(time); };
        const replay::placement& of = seen.placements[i];
        written.task(i + 1, 1 + i / 3 % 3, 3 + of.place,
                     {ns(of.submitted), ns(of.started) + 1, ns(of.ended)});
        // The thread submits 2 us after the wait that let it go on.
        if (i >= 6 && of.submitted - seen.placements[i - 1].submitted > 2'500) {
            written.wait(i - 5, ns(seen.placements[i - 1].submitted) + 1, ns(of.submitted) - 2'000);
        }
    }
    const auto run = written.run();
    const auto compare = [&]<template <class...> class Policy> {
        const double direct = replay::replay<Policy>(program, places).makespan;
        const double foretold = replay::replay<Policy>(run.work, run.places).makespan;
        EXPECT_NEAR(foretold / direct, 1, 0.1) << Policy<int>::rule_type::name;
    };
    compare.template operator()<pm::round_robin_policy>();
    compare.template operator()<pm::dynamic_load_policy>();
    compare.template operator()<pm::earliest_finish_policy>();
    compare.template operator()<pm::auto_tune_policy>();
}

}  // namespace
