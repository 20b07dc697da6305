// SPDX-License-Identifier: Apache-2.0
// Repeated work when something else happens at the same time: moves, stops, drops, waits of the function.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/eventually.hpp"
#include "support/manual_work.hpp"
#include "support/printer_lost.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

using retrying_policy = recovering_policy<round_robin_policy<int>>;

retrying_policy retrying(recovery_options options = {.failure = on_failure::retry(1)}) {
    return retrying_policy{round_robin_policy{{1, 2}}, std::move(options)};
}

TEST(RepeatedWork, that_has_only_a_wait_runs_again_while_the_group_waits) {
    auto p = retrying();
    work_list<waited_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    std::jthread group{[&] { p.get_submission_group().wait(); }};
    works.at(0).fail();
    works.at(1).succeed();
    group.join();
    EXPECT_NO_THROW(submission.wait());
}

TEST(RepeatedWork, that_has_only_a_wait_survives_moves_of_its_submission) {
    auto p = retrying();
    work_list<waited_work> works;
    auto found = p.try_submit([&](int r) { return works.begin(r); });
    ASSERT_TRUE(found.has_value());
    auto moved = std::move(*found);
    found.reset();
    works.at(0).succeed();
    moved.wait();
}

TEST(RepeatedWork, that_has_only_a_wait_gives_its_place_back_when_it_is_dropped) {
    auto p = retrying({.max_outstanding = 1});
    work_list<waited_work> works;
    const auto begin = [&](int r) { return works.begin(r); };
    static_cast<void>(p.submit(begin));
    EXPECT_TRUE(p.try_submit(begin).has_value());
    works.at(0).succeed();
    works.at(1).succeed();
    p.get_submission_group().wait();
}

TEST(RepeatedWork, may_wait_in_its_second_run_for_other_work_that_runs_again) {
    auto p = retrying();
    work_list<calling_work> outer;
    work_list<calling_work> inner;
    std::atomic<bool> is_second{false};
    auto submission = p.submit([&](int r) {
        if (is_second.exchange(true)) {
            p.submit([&](int r2) { return inner.begin(r2); }).wait();
        }
        return outer.begin(r);
    });
    outer.at(0).fail();
    inner.at(0).fail();
    inner.at(1).succeed();
    outer.at(1).succeed();
    submission.wait();
}

TEST(RepeatedWork, tells_a_function_to_stop_that_blocks_the_submitting_thread) {
    auto p = retrying();
    std::atomic<bool> has_begun{false};
    std::jthread stopper{[&] {
        has_begun.wait(false);
        p.request_stop();
    }};
    EXPECT_THROW(p.submit([&](int, const std::stop_token& stop) -> int {
        has_begun = true;
        has_begun.notify_all();
        static_cast<void>(eventually([&] { return stop.stop_requested(); }));
        throw std::domain_error{stop.stop_requested() ? "stopped" : "not stopped"};
    }),
                 std::domain_error);
}

TEST(RepeatedWork, fails_if_its_end_cannot_be_noticed) {
    struct deaf_work : calling_work {
        void on_completion(completion_callback) { throw printer_lost{"no callbacks"}; }
    };
    auto p = retrying();
    const std::function<deaf_work(int)> begin = [](int) { return deaf_work{}; };
    EXPECT_THROW(p.submit(begin), printer_lost);
    p.get_submission_group().wait();
}

TEST(RepeatedWork, tells_a_timeout_of_the_function_from_one_of_the_search) {
    auto p = retrying();
    const auto fail = [](int) -> int { throw submit_timeout{clock::duration{5}}; };
    EXPECT_THROW(static_cast<void>(p.try_submit(fail)), submit_timeout);
    EXPECT_THROW(static_cast<void>(p.with({}).try_submit(fail)), submit_timeout);
}

TEST(RepeatedWork, runs_often_without_using_up_the_stack) {
    auto p = retrying({.failure = on_failure::retry(20'000)});
    std::atomic<int> runs{0};
    auto submission = p.submit([&](int) {
        calling_work work;
        work.fail();
        ++runs;
        return work;
    });
    EXPECT_THROW(submission.wait(), std::runtime_error);
    EXPECT_EQ(runs, 20'001);
}

TEST(RepeatedWork, has_no_limit_if_the_limit_is_the_longest_time) {
    auto p = retrying({.time_limit = clock::duration::max()});
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    works.at(0).succeed();
    EXPECT_NO_THROW(submission.wait());
}

TEST(RepeatedWork, ends_before_its_function_has_returned_in_no_run) {
    auto p =
        retrying({.failure = on_failure::fallback(), .time_limit = std::chrono::milliseconds{5}});
    work_list<calling_work> works;
    std::atomic<int> in_function{0};
    auto submission = p.submit([&](int r) {
        ++in_function;
        auto work = works.begin(r);
        if (r == 2) {
            works.at(0).succeed();  // the late first run wins while the second begins
            std::this_thread::yield();
        }
        --in_function;
        return work;
    });
    submission.wait();
    EXPECT_EQ(in_function, 0);
    works.at(1).succeed();
    p.get_submission_group().wait();
}

}  // namespace
}  // namespace pointsman::test
