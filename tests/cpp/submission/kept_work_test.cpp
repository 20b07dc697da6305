// SPDX-License-Identifier: Apache-2.0
// Work whose completion only a wait() detects, and groups with several waiting threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/eventually.hpp"
#include "support/manual_work.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {
namespace {

using namespace std::chrono_literals;

/// Has a policy with one unfinished task that has only a `wait()`, and a thread that waits for the group.
struct KeptWork : ::testing::Test {
    KeptWork() {
        policy.submit([this](int) { return work; });
        EXPECT_TRUE(group.keeps_work());
        first = std::jthread{[this] {
            group.wait();
            first_has_finished = true;
        }};
        EXPECT_TRUE(eventually([this] { return work.state->waits() == 1; }));
    }

    dynamic_load_policy<int> policy{std::vector{1}};
    default_submission_group group = policy.get_submission_group();
    waited_work work;
    std::atomic<bool> first_has_finished{false};
    std::jthread first;
};

TEST_F(KeptWork, is_waited_for_by_a_second_wait_in_steps) {
    EXPECT_FALSE(group.begin_wait().wait_for(0ms)) << "the work is still running";
    EXPECT_FALSE(group.begin_wait().wait_for(0ms));
    work.succeed();
    EXPECT_TRUE(group.begin_wait().wait_for(1h));
    EXPECT_TRUE(group.begin_wait().wait_for(0ms));
}

TEST_F(KeptWork, is_waited_for_by_a_second_wait_without_a_limit) {
    std::atomic<bool> may_finish{false};
    std::jthread second{[&] {
        group.wait();
        EXPECT_TRUE(may_finish);
    }};
    for (int i = 0; i < 100; ++i) {
        std::this_thread::yield();
    }
    may_finish = true;
    work.succeed();
}

TEST(KeptWorkThreads, may_be_submitted_while_others_wait_for_the_group) {
    for (const int threads : thread_counts) {
        dynamic_load_policy policy{std::vector{1, 2}};
        on_threads(2 * threads, [&](int thread) {
            for (int i = 0; i < 200; ++i) {
                if (thread < threads) {
                    waited_work work;
                    work.succeed();
                    policy.submit([&](int) { return work; });
                } else {
                    policy.get_submission_group().wait();
                }
            }
        });
        policy.get_submission_group().wait();
        EXPECT_EQ(policy.loads(), std::vector<std::size_t>(2));
    }
}

}  // namespace
}  // namespace pointsman::test
