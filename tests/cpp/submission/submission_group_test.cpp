// SPDX-License-Identifier: Apache-2.0
// A group waits for earlier submissions, and for nothing else.
#include "pointsman/submission/default_submission_group.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace {

using pointsman::detail::make_ref;
using pointsman::detail::submission_group_state;

TEST(SubmissionGroup, can_be_waited_for) {
    EXPECT_TRUE(pointsman::submission_group<pointsman::default_submission_group>);
    EXPECT_FALSE(pointsman::submission_group<int>);
}

TEST(SubmissionGroup, without_submissions_does_not_block) {
    make_ref<submission_group_state>()->wait();
}

TEST(SubmissionGroup, waits_for_the_last_submission) {
    auto group = make_ref<submission_group_state>();
    const auto phase = group->enter();
    std::atomic<bool> completed{false};
    std::jthread worker{[&] {
        completed = true;
        group->leave(phase);
    }};
    group->wait();
    EXPECT_TRUE(completed);
}

TEST(SubmissionGroup, lives_until_the_last_submission_completes) {
    struct notified_of_its_end final : submission_group_state {
        explicit notified_of_its_end(bool& is_gone) : gone{is_gone} {}
        ~notified_of_its_end() override { gone = true; }
        bool& gone;
    };
    bool is_gone = false;
    auto group = make_ref<notified_of_its_end>(is_gone);
    submission_group_state& submitted_to = *group;
    const auto first = submitted_to.enter();
    const auto second = submitted_to.enter();
    group = {};
    submitted_to.leave(first);
    EXPECT_FALSE(is_gone);
    submitted_to.leave(second);
    EXPECT_TRUE(is_gone);
}

TEST(SubmissionGroup, finishes_while_others_go_on_submitting) {
    auto group = make_ref<submission_group_state>();
    std::jthread submitter{[&](const std::stop_token& stop) {
        auto phase = group->enter();
        while (!stop.stop_requested()) {  // never without a submission outstanding
            const auto next = group->enter();
            group->leave(phase);
            phase = next;
        }
        group->leave(phase);
    }};
    for (int i = 0; i < 100; ++i) {
        group->wait();
    }
}

TEST(SubmissionGroup, can_be_waited_for_in_steps) {
    using namespace std::chrono_literals;
    auto state = make_ref<submission_group_state>();
    const pointsman::default_submission_group group{state};
    const auto phase = state->enter();
    {
        auto waiting = group.begin_wait();
        EXPECT_FALSE(waiting.wait_for(0ms));
        const auto later = state->enter();
        state->leave(phase);
        EXPECT_TRUE(waiting.wait_for(1h)) << "a later submission is not waited for";
        state->leave(later);
    }
    EXPECT_TRUE(group.begin_wait().wait_for(0ms)) << "the turn was released";
}

TEST(SubmissionGroup, a_wait_that_timed_out_lets_the_next_one_wait) {
    using namespace std::chrono_literals;
    auto state = make_ref<submission_group_state>();
    const auto phase = state->enter();
    EXPECT_FALSE(state->keeps_work());
    const pointsman::default_submission_group group{state};
    EXPECT_FALSE(group.begin_wait().wait_for(1ms));
    EXPECT_FALSE(group.begin_wait().wait_for(1ms));
    state->leave(phase);
    group.wait();
}

class SubmissionGroupThreads : public ::testing::TestWithParam<int> {};

TEST_P(SubmissionGroupThreads, waits_for_every_earlier_submission_of_its_thread) {
    auto group = make_ref<submission_group_state>();
    std::vector<std::jthread> threads;
    for (int i = 0; i < GetParam(); ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 200; ++round) {
                std::atomic<bool> completed{false};
                const auto phase = group->enter();
                std::jthread worker{[&] {
                    completed = true;
                    group->leave(phase);
                }};
                group->wait();
                EXPECT_TRUE(completed);
            }
        });
    }
}

INSTANTIATE_TEST_SUITE_P(, SubmissionGroupThreads, ::testing::Values(1, 2, 7, 16),
                         [](const auto& param) {
                             return std::to_string(param.param) + "_threads";
                         });

}  // namespace
