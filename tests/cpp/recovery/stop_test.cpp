// SPDX-License-Identifier: Apache-2.0
// Stops of outstanding work, one submission or all of a policy, and stop tokens of functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "pointsman/resource/arena.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

template <class Kind>
struct StopToken : ::testing::Test {};
TYPED_TEST_SUITE(StopToken, combined_policy_kinds, kind_names);

TYPED_TEST(StopToken, of_the_options_is_passed_to_a_function_that_takes_one) {
    auto p = TypeParam::over(std::vector{1, 2});
    std::stop_source source;
    const submit_options options{.stop = source.get_token()};
    const auto stopped = [](int, const std::stop_token& stop, int x) {
        return stop.stop_requested() ? -x : x;
    };
    EXPECT_EQ(submit(p, options, stopped, 5).unwrap(), 5);
    source.request_stop();
    EXPECT_EQ(submit(p, options, stopped, 5).unwrap(), -5);
}

TEST(StopTokenOfOptions, is_not_passed_to_a_function_that_takes_anything) {
    round_robin_policy p{{1, 2}};
    const auto count = [](const auto&... args) { return sizeof...(args); };
    EXPECT_EQ(p.submit(submit_options{}, count, 5).unwrap(), 2U);
}

TEST(StopTokenOfOptions, leaves_what_was_learnt_of_the_function_in_place) {
    auto_tune_policy p{{1, 2}};
    const auto f = [](int, const std::stop_token&) {};
    for (int i = 0; i < 20; ++i) {
        p.submit(submit_options{}, f);
    }
    EXPECT_TRUE(p.estimates(f)[0].has_value());
}

TEST(Stop, ends_work_that_would_run_again) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.failure = on_failure::retry(1000)}};
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    auto first = works.at(0);
    submission.request_stop();
    first.fail();
    EXPECT_THROW(submission.wait(), std::runtime_error);
    EXPECT_EQ(works.size(), 1U);
}

TEST(Stop, drops_work_that_waits_for_its_arena) {
    arena busy{1};
    std::atomic<bool> done{false};
    auto running = busy.run([&] { done.wait(false); });
    recovering_policy p{round_robin_policy{std::vector{busy}}, {.failure = on_failure::retry(1)}};
    std::atomic<int> calls{0};
    auto submission = p.submit([&](const arena& a) { return a.run([&] { ++calls; }); });
    submission.request_stop();
    EXPECT_THROW(submission.wait(), work_cancelled);
    done = true;
    done.notify_all();
    running.wait();
    EXPECT_EQ(calls, 0);
}

TEST(Stop, of_a_policy_stops_all_its_work_and_no_later_work) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.failure = on_failure::retry(1)}};
    work_list<calling_work> works;
    std::vector<std::stop_token> tokens;
    const auto begin = [&](int r, const std::stop_token& stop) {
        tokens.push_back(stop);
        return works.begin(r);
    };
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    p.request_stop();
    EXPECT_TRUE(tokens[0].stop_requested() && tokens[1].stop_requested());
    auto third = p.submit(begin);
    EXPECT_FALSE(tokens[2].stop_requested());
    for (std::size_t i = 0; i < 3; ++i) {
        works.at(i).succeed();
    }
    p.get_submission_group().wait();
}

TEST(Stop, of_a_policy_whose_work_runs_once_reaches_its_functions) {
    recovering_policy p{round_robin_policy{{1, 2}}};
    std::stop_token token;
    auto submission = p.submit([&](int, const std::stop_token& stop) { token = stop; });
    p.request_stop();
    EXPECT_TRUE(token.stop_requested());
}

TEST(Stop, of_the_options_ends_outstanding_work) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.failure = on_failure::retry(1)}};
    std::stop_source source;
    std::stop_token token;
    calling_work work;
    auto submission =
        p.submit(submit_options{.stop = source.get_token()}, [&](int, const std::stop_token& stop) {
            token = stop;
            return work;
        });
    source.request_stop();
    EXPECT_TRUE(token.stop_requested());
    work.fail();
    EXPECT_THROW(submission.wait(), std::runtime_error);
}

}  // namespace
}  // namespace pointsman::test
