// SPDX-License-Identifier: Apache-2.0
// Coroutines that await work that may run again.
#include <gtest/gtest.h>

#include <atomic>
#include <coroutine>
#include <exception>
#include <functional>
#include <stdexcept>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/eventually.hpp"
#include "support/manual_work.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

/// A coroutine that nobody waits for.
struct detached {
    struct promise_type {
        detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

template <class Submission>
detached await_state(Submission& submission, std::atomic<work_state*>& state) {
    try {
        const auto work = co_await submission;
        state = work.state.get();
    } catch (const std::runtime_error&) {
        state = nullptr;
    }
}

struct RecoveryCoroutine : ::testing::Test {
    recovering_policy<round_robin_policy<int>> once{round_robin_policy{{1, 2}}};
    recovering_policy<round_robin_policy<int>> twice = once.with({.failure = on_failure::retry(1)});
    work_list<calling_work> works;
    std::function<calling_work(int)> begin = [this](int r) { return works.begin(r); };
    calling_work unset;
    std::atomic<work_state*> awaited{unset.state.get()};
};

TEST_F(RecoveryCoroutine, resumes_a_coroutine_that_awaits_a_single_run) {
    auto submission = once.submit(begin);
    await_state(submission, awaited);
    works.at(0).succeed();
    EXPECT_TRUE(eventually([&] { return awaited == works.at(0).state.get(); }));
}

TEST_F(RecoveryCoroutine, resumes_a_coroutine_after_the_run_that_succeeded) {
    auto submission = twice.submit(begin);
    await_state(submission, awaited);
    works.at(0).fail();
    auto second = works.at(1);
    EXPECT_EQ(awaited, unset.state.get());
    second.succeed();
    EXPECT_TRUE(eventually([&] { return awaited == second.state.get(); }));
}

TEST_F(RecoveryCoroutine, throws_the_last_error_in_a_coroutine) {
    auto submission = twice.submit(begin);
    await_state(submission, awaited);
    works.at(0).fail();
    works.at(1).fail();
    EXPECT_TRUE(eventually([&] { return awaited == nullptr; }));
}

}  // namespace
}  // namespace pointsman::test
