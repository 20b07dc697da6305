// SPDX-License-Identifier: Apache-2.0
// Submissions awaited in coroutines, for each completion kind.
#include <gtest/gtest.h>

#include <coroutine>
#include <exception>
#include <future>
#include <latch>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/resource/arena.hpp"
#include "support/manual_work.hpp"

namespace pointsman::test {
namespace {

/// A coroutine that starts at once; a test can wait for it, or destroy it while it waits.
class coroutine {
  public:
    struct promise_type {
        coroutine get_return_object() {
            return coroutine{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        static std::suspend_never initial_suspend() noexcept { return {}; }
        /// The coroutine may be destroyed as soon as the latch is open.
        struct signal_end : std::suspend_always {
            static void await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
                const auto finished = ended.promise().finished;
                finished->count_down();
            }
        };
        static signal_end final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { error = std::current_exception(); }
        std::shared_ptr<std::latch> finished = std::make_shared<std::latch>(1);
        std::exception_ptr error;
    };

    explicit coroutine(std::coroutine_handle<promise_type> handle)
        : handle_{handle}, finished_{handle.promise().finished} {}
    coroutine(coroutine&& other) noexcept
        : handle_{std::exchange(other.handle_, nullptr)}, finished_{std::move(other.finished_)} {}
    coroutine& operator=(coroutine&&) = delete;
    ~coroutine() {
        if (handle_) {
            handle_.destroy();
        }
    }

    [[nodiscard]] bool is_finished() const { return finished_->try_wait(); }
    /// Throws the exception that left the coroutine.
    void wait() const {
        finished_->wait();
        if (handle_.promise().error) {
            std::rethrow_exception(handle_.promise().error);
        }
    }

  private:
    std::coroutine_handle<promise_type> handle_;
    std::shared_ptr<std::latch> finished_;
};

/// Awaits the submission of `work` to a policy over one resource.
template <class Policy, class Work>
coroutine await(Policy& policy, Work work, int& steps) {
    ++steps;
    co_await pointsman::submit(policy, [&](int) -> Work { return work; });
    ++steps;
}

}  // namespace

TEST(Coroutine, resumes_when_the_work_completes) {
    dynamic_load_policy policy{std::vector{1}};
    calling_work work;
    int steps = 0;
    const coroutine waiting = await(policy, work, steps);
    EXPECT_EQ(steps, 1);
    EXPECT_FALSE(waiting.is_finished());
    EXPECT_EQ(policy.loads().front(), 1U);
    work.succeed();
    waiting.wait();
    EXPECT_EQ(steps, 2);
    EXPECT_EQ(policy.loads().front(), 0U);
}

TEST(Coroutine, resumes_after_polled_work) {
    dynamic_load_policy policy{std::vector{1}};
    polled_work work;
    int steps = 0;
    const coroutine waiting = await(policy, work, steps);
    EXPECT_EQ(steps, 1);
    work.succeed();
    waiting.wait();
    EXPECT_EQ(steps, 2);
}

TEST(Coroutine, does_not_suspend_for_completed_work) {
    dynamic_load_policy policy{std::vector{1}};
    calling_work work;
    work.succeed();
    int steps = 0;
    const coroutine waiting = await(policy, work, steps);
    EXPECT_EQ(steps, 2);
    waiting.wait();
}

TEST(Coroutine, waits_for_work_that_has_only_a_wait) {
    dynamic_load_policy policy{std::vector{1}};
    waited_work work;
    work.succeed();
    int steps = 0;
    const coroutine waiting = await(policy, work, steps);
    EXPECT_EQ(steps, 2);
    waiting.wait();
}

TEST(Coroutine, gets_the_error_of_the_work) {
    dynamic_load_policy policy{std::vector{1}};
    calling_work work;
    int steps = 0;
    const coroutine waiting = await(policy, work, steps);
    work.fail();
    EXPECT_THROW(waiting.wait(), std::runtime_error);
    EXPECT_EQ(steps, 1);
    EXPECT_EQ(policy.loads().front(), 0U);
}

TEST(Coroutine, gets_the_result_of_the_function) {
    round_robin_policy policy{std::vector{5}};
    int value = 0;
    std::promise<int> promise;
    const auto ask = [&]() -> coroutine {
        value = co_await policy.submit([](int resource) { return resource; });
        co_await policy.submit([](int) {});
        value += (co_await policy.submit([&](int) { return promise.get_future(); })).get();
    };
    const coroutine waiting = ask();
    EXPECT_EQ(value, 5);
    promise.set_value(37);
    waiting.wait();
    EXPECT_EQ(value, 42);
}

TEST(Coroutine, awaits_an_lvalue_submission) {
    round_robin_policy policy{std::vector{5}};
    calling_work work;
    bool same = false;
    const auto ask = [&]() -> coroutine {
        auto submission = policy.submit([&](int) { return work; });
        const calling_work first = co_await submission;
        const calling_work again = co_await submission;
        same = first.state == work.state && again.state == work.state;
    };
    const coroutine waiting = ask();
    work.succeed();
    waiting.wait();
    EXPECT_TRUE(same);
}

TEST(Coroutine, awaits_the_tasks_of_an_arena) {
    dynamic_load_policy policy{{arena{1}, arena{2}}};
    int sum = 0;
    const auto add = [&]() -> coroutine {
        for (int i = 0; i < 100; ++i) {
            sum += (co_await pointsman::submit(policy, [i](const arena& where) {
                       return where.run([i] { return i; });
                   })).get();
        }
    };
    add().wait();
    EXPECT_EQ(sum, 4950);
    EXPECT_EQ(policy.loads(), (std::vector<std::size_t>{0, 0}));
}

TEST(Coroutine, may_be_destroyed_while_it_waits) {
    dynamic_load_policy policy{std::vector{1}};
    calling_work work;
    int steps = 0;
    {
        const coroutine dropped = await(policy, work, steps);
    }
    work.succeed();
    EXPECT_EQ(steps, 1);
    EXPECT_EQ(policy.loads().front(), 0U);
}

namespace {
/// Awaits `work`, signals `began` when it resumes, and delays other resumptions until `may_end` opens.
coroutine hold_up(dynamic_load_policy<int>& policy, calling_work work, std::latch& began,
                  std::latch& may_end) {
    co_await policy.submit([&](int) { return work; });
    began.count_down();
    may_end.wait();
}
}  // namespace

TEST(Coroutine, may_be_destroyed_while_others_resume_before_it) {
    dynamic_load_policy policy{std::vector{1}};
    calling_work first;
    calling_work second;
    calling_work third;
    std::latch began{1};
    std::latch may_end{1};
    int steps = 0;
    const coroutine held_up = hold_up(policy, first, began, may_end);
    const coroutine last = await(policy, third, steps);
    {
        const coroutine dropped = await(policy, second, steps);
        first.succeed();
        began.wait();
        second.succeed();
        third.succeed();
    }
    may_end.count_down();
    held_up.wait();
    last.wait();
    EXPECT_EQ(steps, 3);
    EXPECT_EQ(policy.loads().front(), 0U);
}

TEST(Coroutine, may_be_destroyed_by_another_coroutine) {
    dynamic_load_policy policy{std::vector{1}};
    calling_work first;
    calling_work second;
    std::latch began{1};
    std::latch may_end{1};
    int steps = 0;
    auto dropped = std::make_unique<coroutine>(await(policy, second, steps));
    const auto drop = [&]() -> coroutine {
        co_await policy.submit([&](int) { return first; });
        dropped.reset();
    };
    calling_work before;
    const coroutine held_up = hold_up(policy, before, began, may_end);
    const coroutine dropping = drop();
    before.succeed();
    began.wait();
    first.succeed();
    second.succeed();
    may_end.count_down();
    dropping.wait();
    held_up.wait();
    EXPECT_EQ(steps, 1);
}

}  // namespace pointsman::test
