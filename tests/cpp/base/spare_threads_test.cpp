// SPDX-License-Identifier: Apache-2.0
// Functions on spare threads may wait for each other; delayed calls come in the order of their times.
#include "pointsman/base/spare_threads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <latch>
#include <vector>

#include "pointsman/base/delayed_calls.hpp"
#include "support/forked_child.hpp"

namespace pointsman::test {
namespace {

using detail::delayed_calls;
using detail::spare_threads;
using std::chrono::milliseconds;

TEST(SpareThreads, run_functions_that_wait_for_each_other) {
    constexpr int functions = 20;
    std::latch all{functions};
    std::latch done{functions};
    for (int i = 0; i < functions; ++i) {
        spare_threads::instance().run([&] {
            all.arrive_and_wait();
            done.count_down();
        });
    }
    done.wait();
}

TEST(SpareThreads, refuse_to_run_anything_in_a_forked_child) {
    std::promise<void> started;
    spare_threads::instance().run([&] { started.set_value(); });
    started.get_future().wait();
    EXPECT_TRUE(is_refused_in_a_child([] { spare_threads::instance().run([] {}); }));
    EXPECT_TRUE(is_refused_in_a_child([] { delayed_calls::instance().call_at({}, [] {}); }));
}

TEST(DelayedCalls, come_in_the_order_of_their_times) {
    std::vector<int> order;
    std::promise<void> last;
    auto& calls = delayed_calls::instance();
    const auto now = clock::now();
    calls.call_at(now + milliseconds{20}, [&] {
        order.push_back(2);
        last.set_value();
    });
    calls.call_at(now + milliseconds{10}, [&] { order.push_back(1); });
    calls.call_at({}, [&] { order.push_back(0); });
    last.get_future().wait();
    EXPECT_THAT(order, testing::ElementsAre(0, 1, 2));
    EXPECT_GE(clock::now(), now + milliseconds{20});
}

TEST(DelayedCalls, can_be_cancelled) {
    std::promise<void> later;
    bool was_called = false;
    auto& calls = delayed_calls::instance();
    const auto soon = clock::now() + milliseconds{10};
    const auto ticket = calls.call_at(soon, [&] { was_called = true; });
    calls.cancel(ticket);
    calls.call_at(soon, [&] { later.set_value(); });
    later.get_future().wait();
    EXPECT_FALSE(was_called);
}

}  // namespace
}  // namespace pointsman::test
