// SPDX-License-Identifier: Apache-2.0
// The rotation behind round_robin_policy, on one thread and on several.
#include "pointsman/policy/detail/turn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using pointsman::turn;

TEST(Turn, is_strict_for_one_thread) {
    turn t{3, 1};
    for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(t.next(0), (1 + i) % 3);
    }
}

TEST(Turn, is_strict_for_threads_that_alternate) {
    turn t{5, 0};
    for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(t.next(i % 4), i % 5);
    }
}

TEST(Turn, is_at_most_a_lease_ahead_for_a_later_thread) {
    turn t{1000, 0};
    for (std::size_t i = 0; i < 100; ++i) {
        ASSERT_EQ(t.next(0), i);
    }
    const std::size_t second = t.next(1);
    EXPECT_GE(second, 100U);
    EXPECT_LE(second, 100U + turn::longest_lease);
}

TEST(Turn, serves_threads_beyond_its_slots) {
    turn t{3, 0};
    constexpr std::size_t beyond = pointsman::detail::thread_slots<int>::limit;
    for (std::size_t i = 0; i < 100; ++i) {
        ASSERT_EQ(t.next(beyond + i), i % 3);
    }
}

TEST(Turn, of_one_position_always_returns_it) {
    turn t{1, 0};
    EXPECT_EQ(t.next(0) + t.next(1) + t.next(0), 0U);
}

struct TurnThreads : ::testing::TestWithParam<std::size_t> {};

TEST_P(TurnThreads, keep_positions_within_their_leases_of_each_other) {
    constexpr std::size_t size = 4;
    const std::size_t threads = GetParam();
    turn t{size, 0};
    std::array<std::atomic<std::size_t>, size> taken{};
    std::barrier start{static_cast<std::ptrdiff_t>(threads)};
    {
        std::vector<std::jthread> all;
        for (std::size_t thread = 0; thread < threads; ++thread) {
            all.emplace_back([&, thread] {
                start.arrive_and_wait();
                for (int i = 0; i < 10000; ++i) {
                    taken[t.next(thread)].fetch_add(1, std::memory_order_relaxed);
                }
            });
        }
    }
    const std::vector<std::size_t> counts{taken.begin(), taken.end()};
    const auto [least, most] = std::ranges::minmax(counts);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), threads * 10000);
    EXPECT_LE(most - least, turn::longest_lease * threads);
}
INSTANTIATE_TEST_SUITE_P(, TurnThreads, ::testing::Values(1, 2, 7, 16),
                         [](const auto& threads) { return std::to_string(threads.param); });

}  // namespace
