// SPDX-License-Identifier: Apache-2.0
// Load counters with a row for each thread.
#include "pointsman/policy/detail/striped_loads.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace {

using pointsman::striped_loads;
using loads = std::vector<std::size_t>;

std::size_t thread() { return pointsman::detail::hazard_registry::thread(); }

TEST(StripedLoads, begin_at_zero_for_any_number_of_resources) {
    EXPECT_EQ(striped_loads{1}.loads(), (loads{0}));
    EXPECT_EQ(striped_loads{100}.loads(), loads(100));
}

TEST(StripedLoads, count_each_resource_separately) {
    striped_loads all{100};
    all.add(0, thread());
    all.add(99, thread());
    all.add(99, thread());
    all.subtract(0, thread());
    EXPECT_EQ(all.sum(0), 0U);
    EXPECT_EQ(all.sum(98), 0U);
    EXPECT_EQ(all.sum(99), 2U);
}

TEST(StripedLoads, add_up_work_that_begins_on_one_thread_and_ends_on_another) {
    striped_loads all{2};
    for (int i = 0; i < 5; ++i) {
        all.add(1, thread());
    }
    std::jthread{[&] {
        for (int i = 0; i < 3; ++i) {
            all.subtract(1, thread());
        }
    }}.join();
    EXPECT_EQ(all.loads(), (loads{0, 2}));
}

TEST(StripedLoads, are_exact_for_more_threads_than_rows) {
    striped_loads all{3};
    constexpr int threads = 100;
    {
        std::vector<std::jthread> at_once;
        for (int t = 0; t < threads; ++t) {
            at_once.emplace_back([&] {
                for (int i = 0; i < 1000; ++i) {
                    all.add(2, thread());
                    all.add(0, thread());
                    all.subtract(0, thread());
                }
            });
        }
    }
    EXPECT_EQ(all.loads(), (loads{0, 0, threads * 1000}));
}

}  // namespace
