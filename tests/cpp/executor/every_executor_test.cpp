// SPDX-License-Identifier: Apache-2.0
// Rules that every host executor follows: calls, exceptions, threads, nesting and equality.
#include "support/every_executor.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/property/query.hpp"

namespace pointsman::test {
namespace {

std::vector<int> calls_by_index(const auto& executor, std::size_t n) {
    std::vector<std::atomic<int>> calls(n);
    bulk_execute(executor, [&](std::size_t i) { ++calls[i]; }, n);
    return {calls.begin(), calls.end()};
}

}  // namespace

TEST(EveryExecutor, calls_once) {
    on_every_executor([](const auto& executor) {
        std::atomic<int> calls{0};
        execute(executor, [&] { ++calls; });
        EXPECT_EQ(calls, 1);
    });
}

TEST(EveryExecutor, takes_a_move_only_function) {
    on_every_executor([](const auto& executor) {
        int seen = 0;
        execute(executor, [&seen, held = std::make_unique<int>(5)] { seen = *held; });
        EXPECT_EQ(seen, 5);
    });
}

TEST(EveryExecutor, calls_once_for_each_index) {
    on_every_executor([](const auto& executor) {
        for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{7},
                                    std::size_t{16}, std::size_t{10'007}}) {
            const auto calls = calls_by_index(executor, n);
            EXPECT_TRUE(std::ranges::all_of(calls, [](int c) { return c == 1; })) << n;
        }
    });
}

TEST(EveryExecutor, passes_on_an_exception) {
    on_every_executor([](const auto& executor) {
        EXPECT_THROW(execute(executor, [] { throw std::out_of_range{"on purpose"}; }),
                     std::out_of_range);
        EXPECT_THROW(bulk_execute(
                         executor,
                         [](std::size_t i) {
                             if (i == 700) {
                                 throw std::out_of_range{"on purpose"};
                             }
                         },
                         1000),
                     std::out_of_range);
        EXPECT_EQ(calls_by_index(executor, 100), std::vector<int>(100, 1));
    });
}

TEST(EveryExecutor, has_stopped_all_agents_when_it_throws) {
    on_every_executor([](const auto& executor) {
        std::atomic<int> running{0};
        const auto agent = [&](std::size_t i) {
            ++running;
            if (i % 10 == 3) {
                --running;
                throw std::runtime_error{"agent " + std::to_string(i)};
            }
            std::this_thread::yield();
            --running;
        };
        EXPECT_THROW(bulk_execute(executor, agent, 10'000), std::runtime_error);
        EXPECT_EQ(running, 0);
    });
}

TEST(EveryExecutor, may_be_used_by_several_threads_at_once) {
    on_every_executor([](const auto& executor) {
        for (const int threads : {1, 2, 7, 16}) {
            std::vector<std::jthread> callers;
            for (int t = 0; t < threads; ++t) {
                callers.emplace_back([&] {
                    for (int round = 0; round < 10; ++round) {
                        EXPECT_EQ(calls_by_index(executor, 100), std::vector<int>(100, 1));
                    }
                });
            }
        }
    });
}

TEST(EveryExecutor, nests_in_every_other) {
    on_every_executor([](const auto& outer) {
        on_every_executor([&](const auto& inner) {
            std::atomic<int> calls{0};
            bulk_execute(
                outer, [&](std::size_t) { bulk_execute(inner, [&](std::size_t) { ++calls; }, 10); },
                20);
            EXPECT_EQ(calls, 200);
        });
    });
}

TEST(EveryExecutor, is_equal_to_its_copies) {
    on_every_executor([](const auto& executor) {
        const auto copy = executor;
        EXPECT_EQ(copy, executor);
        EXPECT_EQ(copy.context(), executor.context());
        copy.context().wait();
    });
}

TEST(EveryExecutor, reports_how_many_agents_fill_it) {
    on_every_executor(
        [](const auto& executor) { EXPECT_GE(query(executor, occupancy), std::size_t{1}); });
    EXPECT_EQ(query(arena_executor<>{arena{3}}, occupancy), 3U);
    if constexpr (is_executor_available_v<openmp_executor<>>) {
        EXPECT_EQ(query(openmp_executor<>{5}, occupancy), 5U);
    }
}

}  // namespace pointsman::test
