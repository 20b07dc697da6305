// SPDX-License-Identifier: Apache-2.0
// A notification wakes waiting submitters: they do not depend on retrying after a pause.
#include "pointsman/base/eventcount.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>

#include "pointsman/submission/detail/watched_work.hpp"
#include "support/manual_work.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::detail::eventcount;
using pointsman::detail::make_ref;
using pointsman::detail::submission_group_state;
using pointsman::detail::watched_work;
namespace t = pointsman::test;

// A lost wake-up makes these tests wait for an hour, so they exceed their time limit.

TEST(Eventcount, a_notification_after_the_construction_of_the_waiter_is_not_lost) {
    eventcount events;
    eventcount::waiter waiter{events};
    events.notify();
    waiter.wait_for(1h);
}

TEST(Eventcount, a_notification_wakes_a_sleeping_thread) {
    eventcount events;
    std::latch ready{1};
    std::jthread sleeper{[&] {
        eventcount::waiter waiter{events};
        ready.count_down();
        waiter.wait_for(1h);
    }};
    ready.wait();
    events.notify();
}

TEST(Eventcount, a_wait_ends_after_the_pause_without_a_notification) {
    eventcount events;
    eventcount::waiter waiter{events};
    const auto start = pointsman::clock::now();
    waiter.wait_for(1ms);
    EXPECT_GE(pointsman::clock::now() - start, 1ms);
}

TEST(Eventcount, the_end_of_work_that_has_only_a_wait_wakes_waiting_submitters) {
    auto group = make_ref<submission_group_state>();
    t::waited_work work;
    auto watched = make_ref<watched_work<t::waited_work>>([&] { return work; }, *group);
    watched->watch(nullptr);
    eventcount::waiter waiter{group->freed()};
    work.succeed();
    watched->wait();
    waiter.wait_for(1h);
}

TEST(Eventcount, dropping_work_that_has_only_a_wait_wakes_waiting_submitters) {
    auto group = make_ref<submission_group_state>();
    auto watched = make_ref<watched_work<t::waited_work>>([] { return t::waited_work{}; }, *group);
    watched->watch(nullptr);
    eventcount::waiter waiter{group->freed()};
    watched->dropped();
    waiter.wait_for(1h);
}

}  // namespace
