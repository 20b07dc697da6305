// SPDX-License-Identifier: Apache-2.0
// What a session records of submissions, selections, waits and failures, and what it does not.
#include "pointsman/trace/session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/pointsman.hpp"
#include "support/forked_child.hpp"
#include "support/on_threads.hpp"

namespace pointsman {
namespace {

using trace::event_kind;

std::vector<event_kind> kinds_of(const trace::recording& made) {
    std::vector<event_kind> kinds;
    for (const trace::event& each : made.events) {
        kinds.push_back(each.kind);
    }
    return kinds;
}

std::size_t count_of(const trace::recording& made, event_kind kind) {
    return static_cast<std::size_t>(std::ranges::count(kinds_of(made), kind));
}

TEST(TraceSession, records_a_call_as_submission_selection_start_and_end) {
    round_robin_policy<int> policy{{10, 20}};
    trace::session traced;
    policy.submit(named_task{"half", [](int n) { return n / 2; }});
    const auto made = traced.stop();
    EXPECT_EQ(kinds_of(made), (std::vector{event_kind::submission, event_kind::selection,
                                           event_kind::start, event_kind::end}));
    const auto tasks = made.tasks();
    ASSERT_EQ(tasks.size(), 1U);
    EXPECT_EQ(made.name_of(tasks[0].name), "half");
    EXPECT_EQ(made.name_of(tasks[0].resource), "10");
    EXPECT_EQ(made.name_of(tasks[0].policy), "round_robin_policy");
    EXPECT_TRUE(tasks[0].succeeded);
    EXPECT_LE(*tasks[0].submitted, *tasks[0].ended);
}

TEST(TraceSession, records_the_end_of_work_that_throws_as_a_failure) {
    dynamic_load_policy<int> policy{std::vector{1}};
    trace::session traced;
    EXPECT_THROW(policy.submit([](int) -> int { throw std::runtime_error{"no"}; }),
                 std::runtime_error);
    const auto tasks = traced.stop().tasks();
    ASSERT_EQ(tasks.size(), 1U);
    EXPECT_TRUE(tasks[0].ended);
    EXPECT_FALSE(tasks[0].succeeded);
}

TEST(TraceSession, records_each_run_of_work_that_runs_again) {
    recovering_policy policy{round_robin_policy{{10, 20}}, {.failure = on_failure::retry(1)}};
    trace::session traced;
    policy.submit(
        named_task{"half", [](int n) { return n == 10 ? throw std::domain_error{"no"} : n / 2; }});
    const auto made = traced.stop();
    const auto tasks = made.tasks();
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_EQ(made.name_of(tasks[1].name), "half");
    EXPECT_TRUE(!tasks[0].succeeded && tasks[1].succeeded);
    const auto retry = std::ranges::find(made.events, event_kind::retry, &trace::event::kind);
    ASSERT_NE(retry, made.events.end());
    EXPECT_EQ(made.name_of(retry->name), "half");
}

TEST(TraceSession, records_where_an_arena_starts_a_task_and_who_waits_for_it) {
    round_robin_policy<arena> policy{std::vector{arena{1}}};
    trace::session traced;
    std::promise<void> may_end;
    auto submission = policy.submit([&](const arena& where) {
        return where.run([&, end = may_end.get_future()] { end.wait(); });
    });
    std::jthread releases{[&] { may_end.set_value(); }};
    submission.wait();
    const auto made = traced.stop();
    const auto tasks = made.tasks();
    ASSERT_EQ(tasks.size(), 1U);
    EXPECT_EQ(made.name_of(tasks[0].resource), "arena 0");
    ASSERT_TRUE(tasks[0].started && tasks[0].ended);
    EXPECT_LE(*tasks[0].selected, *tasks[0].started);
    EXPECT_LE(*tasks[0].started, *tasks[0].ended);
    EXPECT_EQ(count_of(made, event_kind::end), 1U);
    EXPECT_LE(count_of(made, event_kind::wait), 1U);
}

TEST(TraceSession, records_a_wait_for_a_free_resource) {
    token_policy<int> policy{std::vector{1}};
    auto held = std::optional{policy.select()};
    trace::session traced;
    std::jthread releases{[&] { held.reset(); }};
    policy.submit([](int) {});
    releases.join();
    const auto made = traced.stop();
    EXPECT_EQ(made.tasks().size(), 1U);
    EXPECT_LE(count_of(made, event_kind::wait), 1U);
}

TEST(TraceSession, records_a_selection_that_is_not_submitted) {
    round_robin_policy<std::string> policy{{"left", "right"}};
    trace::session traced;
    static_cast<void>(policy.select());
    const auto made = traced.stop();
    ASSERT_EQ(kinds_of(made), std::vector{event_kind::selection});
    EXPECT_EQ(made.name_of(made.events[0].resource), "left");
    EXPECT_EQ(made.events[0].task, 0U);
}

TEST(TraceSession, records_a_submission_of_a_kept_selection) {
    round_robin_policy<int> policy{std::vector{7}};
    const auto chosen = policy.select();
    trace::session traced;
    policy.submit(chosen, [](int) {});
    const auto made = traced.stop();
    ASSERT_EQ(made.tasks().size(), 1U);
    EXPECT_EQ(made.name_of(made.tasks()[0].resource), "7");
}

TEST(TraceSession, records_nothing_before_and_after_it) {
    round_robin_policy<int> policy{std::vector{1}};
    policy.submit([](int) {});
    trace::session traced;
    static_cast<void>(traced.stop());
    policy.submit([](int) {});
    EXPECT_TRUE(traced.stop().events.empty());
    trace::session next;
    EXPECT_TRUE(next.stop().events.empty());
}

TEST(TraceSession, leaves_out_tasks_that_were_submitted_before_it) {
    round_robin_policy<int> policy{std::vector{1}};
    std::promise<void> work;
    std::optional<trace::session> traced{std::in_place};
    auto submission = policy.submit([&](int) { return work.get_future(); });
    traced.reset();
    traced.emplace();
    work.set_value();
    submission.wait();
    EXPECT_TRUE(traced->stop().tasks().empty());
}

TEST(TraceSession, refuses_a_second_session_while_one_records) {
    trace::session first;
    EXPECT_THROW(trace::session{}, trace_in_progress);
    static_cast<void>(first.stop());
    EXPECT_NO_THROW(trace::session{});
}

TEST(TraceSession, counts_the_events_for_which_there_is_no_room) {
    round_robin_policy<int> policy{std::vector{1}};
    trace::session traced{1024};
    for (int i = 0; i < 1000; ++i) {
        policy.submit([](int) {});
    }
    const auto made = traced.stop();
    EXPECT_EQ(made.events.size(), 1024U);
    EXPECT_EQ(made.dropped, 4000U - 1024U);
}

TEST(TraceSession, records_every_event_of_threads_that_end_before_it) {
    round_robin_policy<int> policy{{1, 2}};
    trace::session traced;
    test::on_threads(7, [&](std::size_t) {
        for (int i = 0; i < 500; ++i) {
            policy.submit([](int) {});
        }
    });
    const auto made = traced.stop();
    EXPECT_EQ(made.tasks().size(), 3500U);
    EXPECT_EQ(made.dropped, 0U);
    EXPECT_TRUE(std::ranges::is_sorted(made.events, {}, &trace::event::time));
    EXPECT_EQ(std::ranges::max(made.events, {}, &trace::event::thread).thread, 7U);
}

TEST(TraceSession, may_end_while_other_threads_submit) {
    round_robin_policy<int> policy{{1, 2}};
    std::atomic<bool> is_over{false};
    std::jthread submits{[&] {
        while (!is_over) {
            policy.submit([](int) {});
        }
    }};
    for (int i = 0; i < 200; ++i) {
        trace::session traced;
        const auto made = traced.stop();
        EXPECT_EQ(made.dropped, 0U);
    }
    is_over = true;
}

TEST(TraceSession, records_nothing_in_a_forked_child_until_the_child_begins_its_own) {
    round_robin_policy<int> policy{std::vector{1}};
    trace::session traced;
    policy.submit([](int) {});
    EXPECT_TRUE(test::holds_in_a_child([&] {
        policy.submit([](int) {});
        const bool is_empty = traced.stop().events.empty();
        trace::session own;
        policy.submit([](int) {});
        return is_empty && own.stop().tasks().size() == 1;
    }));
    EXPECT_EQ(traced.stop().tasks().size(), 1U);
}

}  // namespace
}  // namespace pointsman
