// SPDX-License-Identifier: Apache-2.0
// Tasks on hardware of their own and on shared hardware, and what each is booked with.
#include "pointsman/tuning/divided_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace {

using pointsman::divided_time;
using pointsman::domain;

divided_time over(const std::vector<domain>& domains) { return divided_time{domains}; }

/// An arena of two threads and a device that uses both of the same two cores.
divided_time shared_cores() {
    return over({{.id = 1, .capacity = 2, .slots = 2, .threads_each = 1},
                 {.id = 1, .capacity = 2, .slots = 1, .threads_each = 2}});
}

TEST(DividedTime, of_a_task_alone_is_the_time_since_its_submission) {
    auto time = over({{}});
    const auto task = time.submit(0, 0, 100);
    EXPECT_DOUBLE_EQ(time.end(task, 350), 250);
}

TEST(DividedTime, of_a_task_behind_another_begins_at_the_end_of_that) {
    auto time = over({{}});
    const auto first = time.submit(0, 0, 0);
    const auto second = time.submit(0, 0, 10);
    EXPECT_DOUBLE_EQ(time.end(first, 1'000), 1'000);
    EXPECT_DOUBLE_EQ(time.end(second, 1'001), 1);
}

TEST(DividedTime, of_tasks_in_order_is_the_end_less_submission_or_previous_end) {
    std::mt19937_64 random{7};
    auto time = over({{}, {}});
    struct outstanding {
        divided_time::task_id number;
        double submitted;
    };
    std::deque<outstanding> tasks;
    double now = 0;
    double previous_end = 0;
    for (int i = 0; i < 10'000; ++i) {
        now += static_cast<double>(random() % 100);
        if (tasks.empty() || random() % 2 == 0) {
            tasks.push_back({time.submit(1, 50, now), now});
        } else {
            const auto task = tasks.front();
            tasks.pop_front();
            ASSERT_NEAR(time.end(task.number, now), now - std::max(task.submitted, previous_end),
                        1e-6)
                << "event " << i;
            previous_end = now;
        }
        ASSERT_EQ(time.load(1), tasks.size());
    }
    EXPECT_EQ(time.load(0), 0U);
}

TEST(DividedTime, of_two_queues_of_one_device_is_shared_evenly) {
    auto time = over({{.id = 1}, {.id = 1}});
    const auto a = time.submit(0, 0, 0);
    const auto b = time.submit(1, 0, 0);
    EXPECT_DOUBLE_EQ(time.end(a, 100), 50);
    EXPECT_DOUBLE_EQ(time.end(b, 150), 100);
}

TEST(DividedTime, of_resources_without_a_common_domain_is_not_shared) {
    auto time = over({{}, {}, {.id = 1}, {.id = 2}});
    std::vector<divided_time::task_id> tasks;
    for (std::size_t i = 0; i < 4; ++i) {
        tasks.push_back(time.submit(i, 0, 0));
    }
    for (const auto task : tasks) {
        EXPECT_DOUBLE_EQ(time.end(task, 100), 100);
    }
}

TEST(DividedTime, of_an_arena_with_idle_cores_is_the_share_of_one_core) {
    auto time = shared_cores();
    const auto task = time.submit(0, 0, 0);
    EXPECT_DOUBLE_EQ(time.end(task, 100), 50) << "half of the cores for 100";
    EXPECT_DOUBLE_EQ(time.time_alone(0), 2);
    EXPECT_DOUBLE_EQ(time.time_alone(1), 1);
}

TEST(DividedTime, of_an_arena_and_a_device_on_the_same_cores_goes_by_threads) {
    auto time = shared_cores();
    const auto on_arena = time.submit(0, 0, 0);
    const auto other_on_arena = time.submit(0, 0, 0);
    const auto on_device = time.submit(1, 0, 0);
    // Four threads on two cores: a quarter of the domain to each task on the arena, half to the device.
    EXPECT_DOUBLE_EQ(time.end(on_arena, 100), 25);
    EXPECT_DOUBLE_EQ(time.end(other_on_arena, 100), 25);
    EXPECT_DOUBLE_EQ(time.end(on_device, 200), 150) << "alone for the last 100";
}

TEST(DividedTime, of_64_tasks_that_share_a_processor_is_a_64th_of_the_time) {
    auto time = over({{.slots = 64}});
    std::vector<divided_time::task_id> tasks;
    for (int i = 0; i < 64; ++i) {
        tasks.push_back(time.submit(0, 100, 0));
    }
    const auto waiting = time.submit(0, 100, 0);
    for (const auto task : tasks) {
        EXPECT_NEAR(time.end(task, 6'400), 100, 1e-9);
    }
    EXPECT_NEAR(time.end(waiting, 6'410), 10, 1e-9);
}

TEST(DividedTime, of_a_task_that_overtakes_is_the_time_since_the_last_end) {
    auto time = over({{}});
    const auto first = time.submit(0, 0, 0);
    const auto second = time.submit(0, 0, 0);
    const auto third = time.submit(0, 0, 0);
    EXPECT_DOUBLE_EQ(time.end(second, 30), 30);
    EXPECT_DOUBLE_EQ(time.end(third, 70), 40);
    EXPECT_DOUBLE_EQ(time.end(first, 75), 5);
    EXPECT_EQ(time.load(0), 0U);
}

TEST(DividedTime, of_one_domain_adds_up_to_the_time_that_passed) {
    std::mt19937_64 random{11};
    auto time = shared_cores();
    std::vector<divided_time::task_id> tasks;
    // The device always has a task, so that no core is ever idle.
    auto on_device = time.submit(1, 0, 0);
    double booked = 0;
    double now = 0;
    for (int i = 0; i < 5'000; ++i) {
        now += static_cast<double>(random() % 100);
        const auto what = random() % 4;
        if (what == 0) {
            const auto next = time.submit(1, 0, now);
            booked += time.end(on_device, now);
            on_device = next;
        } else if (what < 3 || tasks.empty()) {
            tasks.push_back(time.submit(0, 0, now));
        } else {  // in any order
            const auto index = random() % tasks.size();
            booked += time.end(tasks[index], now);
            tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(index));
        }
    }
    for (const auto task : tasks) {
        booked += time.end(task, now);
    }
    booked += time.end(on_device, now);
    EXPECT_NEAR(booked, now, 1e-6 * now);
}

TEST(DividedTime, of_an_end_told_late_is_that_at_its_time) {
    auto time = over({{}, {.id = 1}, {.id = 1}});
    const auto task = time.submit(0, 0, 0);
    EXPECT_EQ(time.backlog(0, 500), 0);  // the clock was advanced past the end
    EXPECT_DOUBLE_EQ(time.end(task, 400), 400);
    const auto next = time.submit(0, 0, 450);
    EXPECT_DOUBLE_EQ(time.end(next, 700), 250);
}

TEST(DividedTime, of_an_end_before_the_submission_is_zero) {
    auto time = over({{}});
    const auto task = time.submit(0, 0, 100);
    EXPECT_EQ(time.end(task, 50), 0);
}

TEST(DividedTime, of_a_task_that_has_ended_is_zero) {
    auto time = over({{}});
    const auto task = time.submit(0, 10, 0);
    EXPECT_EQ(time.end(task, 100), 100);
    EXPECT_EQ(time.end(task, 200), 0);
    EXPECT_EQ(time.end(0, 200), 0);
    EXPECT_EQ(time.load(0), 0U);
}

TEST(Backlog, falls_as_tasks_run_and_never_below_the_waiting_ones) {
    auto time = over({{}});
    const auto first = time.submit(0, 100, 0);
    static_cast<void>(time.submit(0, 30, 0));
    EXPECT_DOUBLE_EQ(time.backlog(0, 0), 130);
    EXPECT_DOUBLE_EQ(time.backlog(0, 60), 70);
    EXPECT_DOUBLE_EQ(time.backlog(0, 1'000), 30) << "the first one takes longer than predicted";
    time.end(first, 1'000);
    EXPECT_DOUBLE_EQ(time.backlog(0, 1'010), 20);
}

TEST(Backlog, is_that_of_the_whole_domain) {
    auto time = shared_cores();
    static_cast<void>(time.submit(0, 100, 0));
    static_cast<void>(time.submit(1, 40, 0));
    EXPECT_DOUBLE_EQ(time.backlog(0, 0), 140);
    EXPECT_EQ(time.domain_of(1), 0U);
    EXPECT_EQ(time.domains(), 1U);
    EXPECT_DOUBLE_EQ(time.predicted(0), 140);
    EXPECT_DOUBLE_EQ(time.backlog(0, 30), 110);
    EXPECT_DOUBLE_EQ(time.predicted(0), 140) << "whatever the running task has received";
}

TEST(Backlog, of_an_idle_domain_is_exactly_zero) {
    auto time = over({{.slots = 3}});
    std::vector<divided_time::task_id> tasks;
    for (const double predicted : {1e18, 0.1, 0.3, 0.7}) {
        tasks.push_back(time.submit(0, predicted, 0));
    }
    for (const auto task : tasks) {
        time.end(task, 1);
    }
    EXPECT_EQ(time.backlog(0, 1), 0);
}

TEST(DividedTime, counts_from_the_submission_where_the_end_is_told_as_an_elapsed_time) {
    auto time = over({{}});
    const auto first = time.submit(0, 0, 100);
    const auto second = time.submit(0, 0, 150);
    EXPECT_DOUBLE_EQ(time.end_after(first, 300), 300);
    EXPECT_DOUBLE_EQ(time.end_after(second, 260), 10);
    EXPECT_DOUBLE_EQ(time.end_after(second, 260), 0) << "it has ended";
}

TEST(DividedTime, books_on_a_task_that_overtakes_no_more_than_its_own_time) {
    auto time = over({{}});
    static_cast<void>(time.submit(0, 0, 0));
    const auto overtakes = time.submit(0, 0, 1'000);
    EXPECT_DOUBLE_EQ(time.end(overtakes, 1'010), 10);
}

TEST(DividedTime, books_the_stated_share_where_other_tasks_run_too) {
    auto time = over({{}});
    const auto task = time.submit(0, 0, 0, 0.25);
    EXPECT_DOUBLE_EQ(time.end(task, 400), 100);
}

TEST(DividedTime, takes_a_domain_without_threads_as_one_of_one_thread) {
    auto time = over({{.id = 1, .capacity = 0, .slots = 0, .threads_each = 0}});
    const auto task = time.submit(0, 0, 0);
    EXPECT_DOUBLE_EQ(time.end(task, 100), 100);
    EXPECT_DOUBLE_EQ(time.time_alone(0), 1);
}

}  // namespace
