// SPDX-License-Identifier: Apache-2.0
// How a host algorithm divides few values into blocks: the calling thread begins, and worker threads help
// if the remaining values take long enough.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <forward_list>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/execution/host_policies.hpp"

namespace pointsman::test {
namespace {

using detail::threads_pay;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST(HostBlocks, stay_in_the_calling_thread_while_little_work_is_left) {
    EXPECT_FALSE(threads_pay(microseconds{2}, 1'000, 4'000)) << "8 us";
    EXPECT_TRUE(threads_pay(microseconds{2}, 1'000, 6'000)) << "12 us";
    EXPECT_TRUE(threads_pay(microseconds{20}, 1, 1));
    EXPECT_FALSE(threads_pay(microseconds{20}, 1, 0));
}

TEST(HostBlocks, stay_in_the_calling_thread_after_a_cheap_first_value) {
    EXPECT_FALSE(threads_pay(nanoseconds{900}, 1, 10'000));
    EXPECT_TRUE(threads_pay(nanoseconds{1'000}, 1, 10'000));
}

TEST(HostBlocks, begin_in_threads_after_a_costly_first_value_until_the_next_measurement) {
    detail::costly_values costly;
    costly.note_first(nanoseconds{9'999});
    EXPECT_FALSE(costly.are_expected());
    for (int again = 0; again < 2; ++again) {
        costly.note_first(microseconds{10});
        for (int call = 1; call < detail::costly_values::period; ++call) {
            EXPECT_TRUE(costly.are_expected()) << "call " << call;
        }
        EXPECT_FALSE(costly.are_expected()) << "the call that measures again";
    }
}

/// Takes long enough that other threads are worth waking.
void be_costly() {
    const auto until = clock::now() + 2 * detail::waking_time;
    while (clock::now() < until) {
    }
}

TEST(HostBlocks, visit_each_costly_value_once) {
    std::vector<std::atomic<int>> calls(100);
    for (int call = 1; call <= detail::costly_values::period + 1; ++call) {
        for_each(execution::par, calls.begin(), calls.end(), [](std::atomic<int>& each) {
            be_costly();
            ++each;
        });
        for (const auto& each : calls) {
            ASSERT_EQ(each, call);
        }
    }
}

TEST(HostBlocks, continue_at_the_next_value_when_values_become_costly) {
    constexpr int cheap = 50;
    std::vector<int> x(100);
    std::iota(x.begin(), x.end(), 0);
    std::vector<int> y(x.size());
    const auto past =
        transform(execution::par, x.begin(), x.end(), x.begin(), y.begin(), [](int a, int b) {
            if (a > cheap) {
                be_costly();
            }
            return 1000 * a + b;
        });
    EXPECT_EQ(past, y.end());
    for (const int i : x) {
        EXPECT_EQ(y[static_cast<std::size_t>(i)], 1001 * i);
    }
}

TEST(HostBlocks, are_one_for_iterators_without_random_access) {
    std::forward_list<int> values{1, 2, 3};
    int blocks = 0;
    detail::in_blocks(execution::par, values.begin(), values.end(),
                      [&](const auto&, auto begin, auto end) {
                          ++blocks;
                          EXPECT_EQ(begin, values.begin());
                          EXPECT_EQ(end, values.end());
                      });
    EXPECT_EQ(blocks, 1);
}

TEST(HostBlocks, grow_by_eight_while_one_thread_works) {
    const std::vector<int> values(1'000);
    const std::vector<std::ptrdiff_t> expected{1, 8, 64, 512, 415};
    std::vector<std::ptrdiff_t> sizes;
    // A call that the machine interrupts hands the rest to other threads.
    for (int call = 0; call < 1'000 && sizes != expected; ++call) {
        sizes.clear();
        detail::begin_in_blocks(
            execution::par, values.begin(), values.end(),
            [&](const auto&, auto begin, auto end) { sizes.push_back(end - begin); },
            [](auto, auto) {});
    }
    EXPECT_EQ(sizes, expected);
}

TEST(HostBlocks, are_one_in_a_single_thread_and_none_for_an_empty_range) {
    std::vector<int> values(100);
    int blocks = 0;
    const auto count = [&](const auto&, auto, auto) { ++blocks; };
    detail::in_blocks(execution::seq, values.begin(), values.end(), count);
    EXPECT_EQ(blocks, 1);
    detail::in_blocks(execution::par, values.end(), values.end(), count);
    EXPECT_EQ(blocks, 1);
}

}  // namespace
}  // namespace pointsman::test
