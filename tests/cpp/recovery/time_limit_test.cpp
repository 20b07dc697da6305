// SPDX-License-Identifier: Apache-2.0
// Work that takes too long has failed, or is run a second time beside the first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stop_token>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "pointsman/resource/arena.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/printer_lost.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using testing::HasSubstr;
using testing::SizeIs;

constexpr health_settings once{.failures = 1, .back_off = minutes{1}};
constexpr clock::duration short_limit = milliseconds{5};

/// Begins work that takes too long on resource 1, and has ended on any other before a limit can pass.
calling_work begin_or_succeed(work_list<calling_work>& works, int resource) {
    auto work = works.begin(resource);
    if (resource != 1) {
        work.succeed();
    }
    return work;
}

TEST(TimeLimit, is_a_failure_by_the_fault_of_the_resource) {
    recovering_policy p{
        round_robin_policy{{1, 2}}, {.time_limit = short_limit}, quarantine_at_once};
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    EXPECT_THAT([&] { submission.wait(); },
                testing::ThrowsMessage<time_limit_exceeded>(
                    HasSubstr("the work has run for more than 5 ms: raise time_limit")));
    EXPECT_EQ(p.health()[0].state, health_state::quarantined);
    works.at(0).succeed();
    EXPECT_THROW(submission.wait(), time_limit_exceeded);
}

TEST(TimeLimit, leaves_quick_work_alone) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.time_limit = minutes{1}}, quarantine_at_once};
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    works.at(0).succeed();
    submission.wait();
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
}

TEST(TimeLimit, lets_a_second_run_win) {
    recovering_policy p{round_robin_policy{{1, 2}},
                        {.failure = on_failure::fallback(), .time_limit = short_limit},
                        quarantine_at_once};
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return begin_or_succeed(works, r); });
    submission.wait();
    EXPECT_EQ(submission.unwrap().state, works.at(1).state);
    works.at(0).fail();
    EXPECT_NO_THROW(submission.wait());
}

TEST(TimeLimit, lets_the_late_first_run_win) {
    recovering_policy p{round_robin_policy{{1, 2}},
                        {.failure = on_failure::retry(1), .time_limit = std::chrono::seconds{1}}};
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    static_cast<void>(works.at(1));
    works.at(0).succeed();
    submission.wait();
    EXPECT_EQ(submission.unwrap().state, works.at(0).state);
    EXPECT_THAT(submission.attempts(), SizeIs(2));
    works.at(1).fail();
}

TEST(TimeLimit, tells_the_function_whose_result_is_not_needed_to_stop) {
    recovering_policy p{round_robin_policy{{1, 2}},
                        {.failure = on_failure::fallback(), .time_limit = short_limit}};
    work_list<calling_work> works;
    std::stop_token first;
    auto submission = p.submit([&](int r, const std::stop_token& stop) {
        first = r == 1 ? stop : first;
        return begin_or_succeed(works, r);
    });
    submission.wait();
    EXPECT_TRUE(eventually([&] { return first.stop_requested(); }));
    works.at(0).fail();
}

TEST(TimeLimit, spares_the_arena_on_which_work_had_not_begun) {
    arena busy{1};
    std::atomic<bool> done{false};
    auto running = busy.run([&] { done.wait(false); });
    recovering_policy p{
        round_robin_policy{std::vector{busy}}, {.time_limit = short_limit}, quarantine_at_once};
    auto submission = p.submit([](const arena& a) { return a.run([] {}); });
    EXPECT_THAT([&] { submission.wait(); }, testing::ThrowsMessage<time_limit_exceeded>(
                                                HasSubstr("had not begun within 5 ms")));
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
    done = true;
    done.notify_all();
    running.wait();
}

TEST(TimesExpected, limits_work_by_what_the_policy_has_learnt) {
    calling_work work;
    const auto task = [&](int) { return work; };
    auto_tune_policy learning{{1, 2}};
    for (int i = 0; i < 20; ++i) {
        tell(learning, [](int) { return milliseconds{1}; }, task);
    }
    recovering_policy p{learning, {.times_expected = 3.0}, quarantine_at_once};
    auto submission = p.submit(task);
    EXPECT_THROW(submission.wait(), time_limit_exceeded);
    work.succeed();
}

TEST(TimesExpected, sets_no_limit_without_an_estimate) {
    recovering_policy p{auto_tune_policy{{1, 2}}, {.times_expected = 3.0}};
    calling_work work;
    auto submission = p.submit([&](int) { return work; });
    work.succeed();
    EXPECT_NO_THROW(submission.wait());
}

}  // namespace
}  // namespace pointsman::test
