// SPDX-License-Identifier: Apache-2.0
// Static objects may wait for polled work after the watcher has been stopped.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "support/eventually.hpp"
#include "support/manual_work.hpp"

namespace pointsman::test {
namespace {

/// Work that can be polled but has no wait().
struct poll_only_work : manual_handle {
    bool is_ready() { return state->is_ready(); }
};

/// Calls a function at process exit, after the destructors of everything created later.
template <class F>
class at_exit {
  public:
    explicit at_exit(F function) : function_{std::move(function)} {}
    at_exit(const at_exit&) = delete;
    at_exit& operator=(const at_exit&) = delete;
    ~at_exit() {
        alarm(20);  // in case a wait hangs
        function_();
    }

  private:
    F function_;
};

struct Exit : ::testing::Test {
    static void SetUpTestSuite() {
        // A forked child has no watcher, so the death test restarts the program.
        GTEST_FLAG_SET(death_test_style, "threadsafe");
    }

    dynamic_load_policy<int> policy{std::vector{1}};
};

TEST_F(Exit, may_wait_for_a_group) {
    polled_work work;
    const auto end = [&] {
        work.succeed();
        policy.get_submission_group().wait();
        std::_Exit(policy.loads().front() == 0 ? 7 : 8);
    };
    EXPECT_EXIT(
        {
            static const at_exit waits{end};
            policy.submit([&](int) { return work; });
            std::exit(0);
        },
        testing::ExitedWithCode(7), "");
}

TEST_F(Exit, may_continue_a_wait_for_a_group_that_began_before) {
    polled_work work;
    std::jthread waiting;
    const auto end = [&] {
        work.succeed();
        waiting.join();
        std::_Exit(7);
    };
    EXPECT_EXIT(
        {
            static const at_exit waits{end};
            policy.submit([&](int) { return work; });
            std::atomic<bool> began{false};
            waiting = std::jthread{[&] {
                began = true;
                policy.get_submission_group().wait();
            }};
            EXPECT_TRUE(eventually([&] { return began.load(); }));
            std::exit(0);
        },
        testing::ExitedWithCode(7), "");
}

TEST_F(Exit, may_submit_and_wait_for_a_group) {
    const auto end = [&] {
        polled_work work;
        policy.submit([&](int) { return work; });
        work.succeed();
        policy.get_submission_group().wait();
        std::_Exit(7);
    };
    EXPECT_EXIT(
        {
            static const at_exit waits{end};
            polled_work before;
            before.succeed();
            policy.submit([&](int) { return before; });
            std::exit(0);
        },
        testing::ExitedWithCode(7), "");
}

TEST_F(Exit, may_wait_for_work_that_can_only_be_polled) {
    poll_only_work work;
    const auto end = [&] {
        auto submission = policy.submit([&](int) { return work; });
        std::jthread other{[&] { work.succeed(); }};
        submission.wait();
        other.join();
        std::_Exit(7);
    };
    EXPECT_EXIT(
        {
            static const at_exit waits{end};
            polled_work before;
            before.succeed();
            policy.submit([&](int) { return before; });
            std::exit(0);
        },
        testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace pointsman::test
