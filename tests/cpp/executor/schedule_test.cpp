// SPDX-License-Identifier: Apache-2.0
// schedule returns a sender that meets P2300's concepts and completes a minimal receiver.
#include "pointsman/executor/schedule.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <exception>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "pointsman/pointsman.hpp"
#include "support/every_executor.hpp"

namespace pointsman::test {
namespace {

template <class T>
concept operation_state =
    std::derived_from<typename T::operation_state_concept, operation_state_t> &&
    std::is_object_v<T> && std::destructible<T> && requires(T& t) {
        { t.start() } noexcept;
    };
template <class T>
concept sender = std::derived_from<typename std::remove_cvref_t<T>::sender_concept, sender_t> &&
                 std::move_constructible<std::remove_cvref_t<T>> &&
                 std::constructible_from<std::remove_cvref_t<T>, T> && requires(const T& t) {
                     typename T::completion_signatures;
                     t.get_env();
                 };
template <class S, class R>
concept sender_to = sender<S> && requires(const S& s, R r) {
    { s.connect(std::move(r)) } -> operation_state;
};
template <class T>
concept scheduler = std::copyable<T> && std::equality_comparable<T> && requires(const T& t) {
    { schedule(t) } -> sender;
    { schedule(t).get_env().query(get_completion_scheduler_t<set_value_t>{}) } -> std::same_as<T>;
};

/// The completion that a minimal_receiver records.
struct verdict {
    std::latch notified{1};
    int values = 0;
    std::exception_ptr error;
};
struct minimal_receiver {
    void set_value() && noexcept {
        ++result->values;
        result->notified.count_down();
    }
    void set_error(std::exception_ptr thrown) && noexcept {
        result->error = std::move(thrown);
        result->notified.count_down();
    }
    verdict* result;
};

/// Refuses all work.
struct closed_executor {
    void execute(auto&&) const { throw std::runtime_error{"closed"}; }
    friend bool operator==(const closed_executor&, const closed_executor&) = default;
};

/// Destroys its operation when it is notified.
struct ending_receiver;
using background = arena_executor<blocking_t::never_t>;
struct ended_operation;
struct ending_receiver {
    void set_value() && noexcept;
    void set_error(std::exception_ptr) && noexcept { std::terminate(); }
    std::unique_ptr<ended_operation>* operation;
    std::latch* notified;
};
struct ended_operation {
    executor_sender<background>::operation<ending_receiver> work;
};
void ending_receiver::set_value() && noexcept {
    std::latch* const waiting = notified;
    operation->reset();
    waiting->count_down();
}

}  // namespace

TEST(Schedule, makes_every_executor_a_scheduler) {
    on_every_executor([]<class Executor>(const Executor& executor) {
        static_assert(scheduler<Executor>);
        static_assert(sender<decltype(schedule(executor))>);
        static_assert(sender_to<decltype(schedule(executor)), minimal_receiver>);
        EXPECT_EQ(schedule(executor).get_env().query(get_completion_scheduler_t<set_value_t>{}),
                  executor);
    });
    static_assert(scheduler<background> && scheduler<any_executor<>>);
}

TEST(Schedule, notifies_the_receiver_once_and_not_before_the_start) {
    on_every_executor([](const auto& executor) {
        verdict result;
        auto operation = schedule(executor).connect(minimal_receiver{&result});
        EXPECT_EQ(result.values, 0);
        operation.start();
        result.notified.wait();
        EXPECT_EQ(result.values, 1);
        EXPECT_FALSE(result.error);
    });
}

TEST(Schedule, notifies_the_receiver_on_a_thread_of_the_executor) {
    const background executor{arena{1}};
    verdict result;
    auto operation = schedule(executor).connect(minimal_receiver{&result});
    operation.start();
    result.notified.wait();
    EXPECT_EQ(result.values, 1);
    executor.context().wait();
}

TEST(Schedule, lets_the_receiver_destroy_the_operation) {
    const background executor{arena{1}};
    std::latch notified{1};
    std::unique_ptr<ended_operation> operation;
    operation.reset(
        new ended_operation{schedule(executor).connect(ending_receiver{&operation, &notified})});
    operation->work.start();
    notified.wait();
    EXPECT_EQ(operation, nullptr);
    executor.context().wait();
}

TEST(Schedule, notifies_the_receiver_if_the_executor_refuses) {
    verdict result;
    auto operation = schedule(closed_executor{}).connect(minimal_receiver{&result});
    operation.start();
    EXPECT_EQ(result.values, 0);
    EXPECT_THROW(std::rethrow_exception(result.error), std::runtime_error);
}

}  // namespace pointsman::test
