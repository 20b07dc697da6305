// SPDX-License-Identifier: Apache-2.0
// How a host algorithm divides few values into blocks: the calling thread begins, and worker threads help
// if the remaining values take long enough.
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <forward_list>
#include <numeric>
#include <vector>

#include "pointsman/algorithm/for_each.hpp"
#include "pointsman/algorithm/host/blocks.hpp"
#include "pointsman/algorithm/host/compaction.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/execution/host_policies.hpp"
#include "pointsman/testing/manual_clock.hpp"

namespace pointsman::test {
namespace {

using detail::threads_pay;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST(HostBlocks, stay_in_the_calling_thread_while_little_work_is_left) {
    EXPECT_FALSE(threads_pay({microseconds{2}, 1'000}, 4'000)) << "8 us";
    EXPECT_TRUE(threads_pay({microseconds{2}, 1'000}, 6'000)) << "12 us";
    EXPECT_TRUE(threads_pay({microseconds{20}, 1}, 1));
    EXPECT_FALSE(threads_pay({microseconds{20}, 1}, 0));
    EXPECT_FALSE(threads_pay({microseconds{2}, 1'000}, 24'000, microseconds{50})) << "48 us";
    EXPECT_TRUE(threads_pay({microseconds{2}, 1'000}, 26'000, microseconds{50})) << "52 us";
}

TEST(HostBlocks, stay_in_the_calling_thread_after_a_cheap_first_value) {
    EXPECT_FALSE(threads_pay({nanoseconds{900}, 1}, 10'000));
    EXPECT_TRUE(threads_pay({nanoseconds{1'000}, 1}, 10'000));
}

TEST(HostBlocks, of_many_values_go_to_threads_after_a_shorter_time) {
    EXPECT_FALSE(threads_pay({nanoseconds{900}, 511}, 1'000'000));
    EXPECT_TRUE(threads_pay({nanoseconds{1'000}, 511}, 1'000'000));
    EXPECT_FALSE(threads_pay({nanoseconds{249}, 512}, 1'000'000));
    EXPECT_TRUE(threads_pay({nanoseconds{250}, 512}, 1'000'000));
    EXPECT_FALSE(threads_pay({nanoseconds{240}, 4'095}, 1'000'000));
    EXPECT_TRUE(threads_pay({nanoseconds{240}, 4'096}, 1'000'000));
    EXPECT_FALSE(threads_pay({nanoseconds{240}, 4'096}, 100'000)) << "6 us";
    EXPECT_FALSE(threads_pay({nanoseconds{1'249}, 585}, 1'000'000, microseconds{50}));
    EXPECT_TRUE(threads_pay({nanoseconds{1'250}, 585}, 1'000'000, microseconds{50}));
}

TEST(HostBlocks, have_a_grain_of_a_microsecond_and_at_most_an_eighth_of_a_share) {
    tbb::task_arena four{4};
    four.execute([] {
        constexpr std::ptrdiff_t many = 1'000'000;
        EXPECT_EQ(detail::grain_size({microseconds{2}, 1'000}, many), 500);
        EXPECT_EQ(detail::grain_size({microseconds{2}, 1'000}, 3'200), 100);
        EXPECT_EQ(detail::grain_size({microseconds{2}, 1}, many), 1);
        EXPECT_EQ(detail::grain_size({nanoseconds{0}, 1'000}, many), many / 32);
        EXPECT_EQ(detail::grain_size({microseconds{2}, 1'000}, 1), 1);
    });
}

TEST(HostBlocks, lose_more_time_in_turns_the_more_threads_there_are) {
    const auto lost_by = [](int threads, std::ptrdiff_t count) {
        tbb::task_arena arena{threads};
        return arena.execute([&] { return detail::time_lost_in_turns(count); });
    };
    EXPECT_EQ(lost_by(16, 100'000), microseconds{48});
    EXPECT_EQ(lost_by(2, 100'000), detail::waking_time);
    EXPECT_EQ(lost_by(16, 16'383), detail::waking_time);
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

/// The blocks in which one thread begins with 1,000 values, and what it leaves to others.
struct begun {
    std::vector<std::ptrdiff_t> blocks;
    std::ptrdiff_t left;
    detail::pace latest;
    int times_read;
    bool costly;
};

/// Begins where each value takes `each`.
begun begin_with(nanoseconds each) {
    const std::vector<int> values(1'000);
    const testing::manual_clock time;
    detail::costly_values costly;
    begun seen{};
    const auto run_block = [&](const auto&, auto begin, auto end) {
        seen.blocks.push_back(end - begin);
        time.advance(each * (end - begin));
    };
    const auto now = [&] {
        ++seen.times_read;
        return time.now();
    };
    const auto found = detail::begin_alone(execution::par, values.begin(), values.end(), run_block,
                                           costly, detail::waking_time, now);
    seen.left = values.end() - found.next;
    seen.latest = found.latest;
    seen.costly = costly.are_expected();
    return seen;
}

TEST(HostBlocks, grow_while_one_thread_works) {
    const begun cheap = begin_with(nanoseconds{1});
    EXPECT_EQ(cheap.blocks, (std::vector<std::ptrdiff_t>{1, 7, 56, 448, 488}));
    EXPECT_EQ(cheap.left, 0);
    EXPECT_EQ(cheap.times_read, 5) << "at the start and after each block but the last";
    EXPECT_FALSE(cheap.costly);
}

TEST(HostBlocks, take_two_microseconds_at_most_and_begin_at_multiples_of_64) {
    EXPECT_EQ(begin_with(nanoseconds{10}).blocks,
              (std::vector<std::ptrdiff_t>{1, 7, 56, 192, 192, 192, 192, 168}));
}

TEST(HostBlocks, end_where_threads_pay) {
    const begun later = begin_with(nanoseconds{100});
    EXPECT_EQ(later.blocks, (std::vector<std::ptrdiff_t>{1, 7, 20})) << "the third takes 2 us";
    EXPECT_EQ(later.left, 972);
    EXPECT_EQ(later.latest.values, 20);
    EXPECT_EQ(later.latest.taken, nanoseconds{2'000});
    EXPECT_FALSE(later.costly);

    const begun at_once = begin_with(microseconds{10});
    EXPECT_EQ(at_once.blocks, std::vector<std::ptrdiff_t>{1});
    EXPECT_EQ(at_once.left, 999);
    EXPECT_TRUE(at_once.costly);
}

TEST(HostBlocks, end_where_one_has_nothing_left_to_do) {
    const std::vector<int> values(1'000);
    const testing::manual_clock time;
    detail::costly_values costly;
    int blocks = 0;
    const auto found_in_second = [&](const auto&, auto, auto) { return ++blocks == 2; };
    const auto found =
        detail::begin_alone(execution::par, values.begin(), values.end(), found_in_second, costly,
                            detail::waking_time, [&] { return time.now(); });
    EXPECT_EQ(found.next, values.end());
    EXPECT_EQ(blocks, 2);
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
