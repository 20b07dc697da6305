// SPDX-License-Identifier: Apache-2.0
// Coroutines that wait for a place or a resource to submit work.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/eventually.hpp"
#include "support/manual_work.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

/// A coroutine whose owner waits for its end, or destroys it while it is suspended.
class producer {
    using flag = std::shared_ptr<std::atomic<bool>>;

  public:
    struct promise_type {
        /// Tells the owner once the coroutine is suspended for good; the owner may then destroy it at once.
        struct ending {
            [[nodiscard]] bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<promise_type> handle) const noexcept {
                const flag ended = handle.promise().has_ended;
                ended->store(true);
            }
            void await_resume() const noexcept {}
        };
        producer get_return_object() {
            return producer{std::coroutine_handle<promise_type>::from_promise(*this), has_ended};
        }
        std::suspend_never initial_suspend() noexcept { return {}; }
        ending final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }

        flag has_ended = std::make_shared<std::atomic<bool>>(false);
    };
    producer(std::coroutine_handle<promise_type> handle, flag has_ended)
        : handle_{handle}, has_ended_{std::move(has_ended)} {}
    producer(producer&& other) noexcept
        : handle_{std::exchange(other.handle_, {})}, has_ended_{std::move(other.has_ended_)} {}
    producer& operator=(producer&&) = delete;
    ~producer() {
        if (handle_) {
            EXPECT_TRUE(eventually([&] { return has_ended_->load(); }));
            handle_.destroy();
        }
    }
    /// To be called while the coroutine is suspended.
    void abandon() { std::exchange(handle_, {}).destroy(); }

  private:
    std::coroutine_handle<promise_type> handle_;
    flag has_ended_;
};

using bounded = recovering_policy<round_robin_policy<int>>;
using beginning = std::function<calling_work(int)>;

/// Submits one piece of work after another; counts what has been submitted, and then the end.
producer produce(bounded& p, beginning begin, int count, std::atomic<int>& submitted) {
    for (int i = 0; i < count; ++i) {
        auto submission = co_await p.submit_async(begin);
        submitted.fetch_add(1);
    }
    submitted.fetch_add(1);
}

template <class Error>
producer expect_error(bounded& p, beginning begin, std::atomic<bool>& is_thrown) {
    try {
        static_cast<void>(co_await p.submit_async(begin));
    } catch (const Error&) {
        is_thrown = true;
    }
}

struct SubmitAsync : ::testing::Test {
    round_robin_policy<int> inner{{1, 2}};
    bounded in_all{inner, {.max_outstanding = 2}};
    bounded for_each{inner, {.max_outstanding_per_resource = 1}};
    work_list<calling_work> works;
    beginning begin = [this](int r) { return works.begin(r); };
    std::atomic<int> submitted{0};
};

TEST_F(SubmitAsync, does_not_suspend_while_places_are_free) {
    const producer all = produce(in_all, begin, 2, submitted);
    EXPECT_EQ(submitted, 3);
    works.at(0).succeed();
    works.at(1).succeed();
}

TEST_F(SubmitAsync, suspends_the_coroutine_until_a_place_is_free) {
    for (bounded* p : {&in_all, &for_each}) {
        work_list<calling_work> own;
        std::atomic<int> count{0};
        const producer all = produce(*p, [&](int r) { return own.begin(r); }, 4, count);
        EXPECT_EQ(count, 2);  // this thread goes on
        own.at(0).succeed();
        own.at(1).succeed();
        own.at(2).succeed();
        own.at(3).succeed();
        EXPECT_TRUE(eventually([&] { return count == 5; }));
    }
}

TEST_F(SubmitAsync, begins_the_work_of_coroutines_in_their_order) {
    auto first = in_all.submit(begin);
    auto second = in_all.submit(begin);
    std::vector<producer> waiting;
    std::vector<int> order;
    for (int i = 0; i < 5; ++i) {
        waiting.push_back(produce(
            in_all,
            [this, &order, i](int r) {
                order.push_back(i);
                return works.begin(r);
            },
            1, submitted));
    }
    EXPECT_EQ(submitted, 0);
    for (std::size_t i = 0; i < 7; ++i) {
        works.at(i).succeed();
    }
    EXPECT_TRUE(eventually([&] { return submitted == 10; }));
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4}));
}

/// A submission in line that finds no resource, or no place, as often as it is tried.
struct refused_submission final : detail::waiting_submission {
    explicit refused_submission(detail::begin_try why) : reason{why} {}
    detail::begin_try try_begin(bool has_places) noexcept override {
        ++(has_places ? tries_with_places : tries_without);
        return has_places ? reason : detail::begin_try::no_place;
    }
    const detail::begin_try reason;
    std::atomic<int> tries_with_places{0};
    std::atomic<int> tries_without{0};
};

TEST(SubmissionLine,
     offers_places_behind_one_without_a_resource_but_not_behind_one_without_a_place) {
    const auto line = std::make_shared<detail::submission_line>();
    std::vector<detail::ref<refused_submission>> waiting;
    for (const auto reason : {detail::begin_try::no_resource, detail::begin_try::no_place,
                              detail::begin_try::no_resource}) {
        waiting.push_back(detail::make_ref<refused_submission>(reason));
        line->join(detail::ref<detail::waiting_submission>::share(waiting.back().get()));
    }
    EXPECT_TRUE(eventually([&] { return waiting[2]->tries_without >= 2; }));
    for (auto last = waiting.rbegin(); last != waiting.rend(); ++last) {
        line->leave(last->get());  // none becomes the first in line
    }
    EXPECT_EQ(waiting[1]->tries_without, 0);
    EXPECT_EQ(waiting[2]->tries_with_places, 0);
}

TEST_F(SubmitAsync, ends_stopped_work_behind_work_that_finds_no_place) {
    auto first = in_all.submit(begin);
    auto second = in_all.submit(begin);
    auto stopped = in_all.submit_async(begin);
    in_all.request_stop();
    const producer head = produce(in_all, begin, 1, submitted);
    std::atomic<bool> is_thrown{false};
    const auto wait = [](auto& pending, auto& flag) -> producer {
        try {
            static_cast<void>(co_await pending);
        } catch (const work_cancelled&) {
            flag = true;
        }
    };
    const producer behind = wait(stopped, is_thrown);
    EXPECT_TRUE(eventually([&] { return is_thrown.load(); }));
    EXPECT_EQ(submitted, 0);
    works.at(0).succeed();
    works.at(1).succeed();
    works.at(2).succeed();
}

TEST_F(SubmitAsync, keeps_a_coroutine_that_produces_faster_within_bounds) {
    std::size_t begun = 0;  // by one thread at a time
    const producer all = produce(
        in_all,
        [&](int r) {
            ++begun;
            return works.begin(r);
        },
        500, submitted);
    std::size_t most = 0;
    for (std::size_t i = 0; i < 500; ++i) {
        auto work = works.at(i);
        most = std::max(most, works.size() - i);
        work.succeed();
    }
    EXPECT_TRUE(eventually([&] { return submitted == 501; }));
    EXPECT_LE(most, 2U);
    EXPECT_EQ(begun, 500U);
}

TEST_F(SubmitAsync, begins_no_work_of_a_coroutine_that_was_destroyed_while_it_waited) {
    auto first = in_all.submit(begin);
    auto second = in_all.submit(begin);
    produce(in_all, begin, 1, submitted).abandon();
    works.at(0).succeed();
    works.at(1).succeed();
    EXPECT_TRUE(eventually([&] { return in_all.try_submit([](int r) { return r; }).has_value(); }));
    in_all.get_submission_group().wait();
    EXPECT_EQ(works.size(), 2U);
}

TEST_F(SubmitAsync, throws_what_the_function_threw) {
    std::atomic<bool> is_thrown{false};
    const producer one = expect_error<std::domain_error>(
        in_all, [](int) -> calling_work { throw std::domain_error{"no"}; }, is_thrown);
    EXPECT_TRUE(is_thrown);
    EXPECT_TRUE(in_all.try_submit([](int r) { return r; }).has_value());
}

TEST_F(SubmitAsync, throws_what_the_function_threw_after_a_wait) {
    auto first = in_all.submit(begin);
    auto second = in_all.submit(begin);
    std::atomic<bool> is_thrown{false};
    const producer one = expect_error<std::domain_error>(
        in_all, [](int) -> calling_work { throw std::domain_error{"no"}; }, is_thrown);
    works.at(0).succeed();
    EXPECT_TRUE(eventually([&] { return is_thrown.load(); }));
    works.at(1).succeed();
}

TEST_F(SubmitAsync, ends_its_wait_at_a_stop_of_the_policy) {
    auto first = in_all.submit(begin);
    auto second = in_all.submit(begin);
    std::atomic<bool> is_thrown{false};
    const producer one = expect_error<work_cancelled>(in_all, begin, is_thrown);
    in_all.request_stop();
    EXPECT_TRUE(eventually([&] { return is_thrown.load(); }));
    works.at(0).succeed();
    works.at(1).succeed();
    EXPECT_EQ(works.size(), 2U);
}

TEST(SubmitAsyncOfTokens, waits_for_a_resource_that_another_policy_frees) {
    recovering_policy<token_policy<int>> p{token_policy<int>{{1}, 1U}};
    work_list<calling_work> works;
    auto held = p.policy();
    auto first = held.submit([&](int r) { return works.begin(r); });
    std::atomic<bool> is_submitted{false};
    const auto wait = [](auto& policy, auto begin, auto& flag) -> producer {
        auto submission = co_await policy.submit_async(begin);
        flag = true;
    };
    const producer one = wait(p, [&](int r) { return works.begin(r); }, is_submitted);
    EXPECT_FALSE(is_submitted);
    works.at(0).succeed();
    EXPECT_TRUE(eventually([&] { return is_submitted.load(); }));
    works.at(1).succeed();
    p.get_submission_group().wait();
}

}  // namespace
}  // namespace pointsman::test
