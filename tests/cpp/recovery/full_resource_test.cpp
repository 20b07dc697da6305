// SPDX-License-Identifier: Apache-2.0
// The bounded number of attempts on each resource.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"
#include "support/printer_lost.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

using namespace std::chrono_literals;

struct FullResource : ::testing::Test {
    recovering_policy<round_robin_policy<int>> p{round_robin_policy{{1, 2}},
                                                 {.max_outstanding_per_resource = 1}};
    work_list<calling_work> works;
    std::function<calling_work(int)> begin = [this](int r) { return works.begin(r); };
};

TEST_F(FullResource, is_left_out_as_long_as_another_has_room) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    EXPECT_NE(first.attempts()[0].resource, second.attempts()[0].resource);
    works.at(0).succeed();
    auto third = p.try_submit(begin);
    ASSERT_TRUE(third.has_value());
    EXPECT_EQ(third->attempts()[0].resource, first.attempts()[0].resource);
    works.at(1).succeed();
    works.at(2).succeed();
}

TEST_F(FullResource, makes_try_submit_refuse_if_all_are_full) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    EXPECT_FALSE(p.try_submit(begin).has_value());
    EXPECT_THROW(p.submit(submit_options{.timeout = 1ms}, begin), submit_timeout);
    works.at(0).succeed();
    works.at(1).succeed();
    EXPECT_TRUE(p.try_submit([](int r) { return r; }).has_value());
}

TEST_F(FullResource, makes_submit_wait_until_one_has_room) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    std::jthread submitter{[&] { p.submit(begin); }};
    works.at(1).fail();
    submitter.join();
    EXPECT_EQ(works.size(), 3U);
    works.at(0).succeed();
    works.at(2).succeed();
}

TEST_F(FullResource, ends_a_wait_at_a_stop) {
    auto first = p.submit(begin);
    auto second = p.submit(begin);
    std::stop_source source;
    std::jthread stopper{[&] { source.request_stop(); }};
    EXPECT_THROW(p.submit(submit_options{.stop = source.get_token()}, begin), submit_stopped);
    works.at(0).succeed();
    works.at(1).succeed();
}

TEST_F(FullResource, has_room_again_after_a_function_that_throws_or_returns_a_value) {
    for (int i = 0; i < 5; ++i) {
        EXPECT_THROW(p.submit([](int) -> int { throw std::domain_error{"no"}; }),
                     std::domain_error);
        p.submit([](int r) { return r; });
    }
    auto first = p.try_submit(begin);
    auto second = p.try_submit(begin);
    EXPECT_TRUE(first && second);
    works.at(0).succeed();
    works.at(1).succeed();
}

TEST_F(FullResource, is_not_taken_for_one_in_quarantine) {
    recovering_policy<round_robin_policy<int>> one{round_robin_policy{{1, 2}},
                                                   {.max_outstanding_per_resource = 1},
                                                   quarantine_at_once,
                                                   [](const std::exception_ptr&) { return true; }};
    EXPECT_THROW(one.submit([](int) -> int { throw std::domain_error{"no"}; }), std::domain_error);
    auto first = one.submit(begin);
    EXPECT_FALSE(one.try_submit(begin).has_value());  // full, and the other one in quarantine
    works.at(0).fail();
    EXPECT_THROW(first.wait(), std::runtime_error);
    EXPECT_THROW(one.submit(begin), no_healthy_resource);
}

TEST_F(FullResource, is_full_for_work_that_runs_again) {
    auto again = p.with({.failure = on_failure::fallback(), .max_outstanding_per_resource = 1});
    auto first = again.submit(begin);
    auto second = again.submit(begin);
    works.at(0).fail();
    works.at(1).succeed();
    EXPECT_EQ(works.resource_of(2), works.resource_of(1));
    works.at(2).succeed();
    first.wait();
}

TEST(FullResources, of_no_places_are_refused) {
    EXPECT_EQ(message_of<std::invalid_argument>([] {
                  recovering_policy{round_robin_policy{{1}}, {.max_outstanding_per_resource = 0}};
              }),
              "max_outstanding_per_resource is 0: pass 1 or more, or none");
}

template <class Kind>
struct BoundOfResources : ::testing::Test {};
TYPED_TEST_SUITE(BoundOfResources, combined_policy_kinds, kind_names);

TYPED_TEST(BoundOfResources, is_kept_under_threads_and_a_producer_that_is_faster) {
    constexpr std::size_t bound = 2;
    recovering_policy p{TypeParam::over(std::vector{1, 2, 3}),
                        {.max_outstanding_per_resource = bound}};
    std::mutex mutex;
    std::map<int, std::size_t> outstanding;
    std::size_t most = 0;
    std::vector<std::pair<int, calling_work>> begun;
    std::atomic<bool> is_over{false};
    const std::function<calling_work(int)> begin = [&](int r) {
        const std::lock_guard lock{mutex};
        most = std::max(most, ++outstanding[r]);
        return begun.emplace_back(r, calling_work{}).second;
    };
    std::jthread slow{[&] {
        while (!is_over) {
            std::optional<std::pair<int, calling_work>> next;
            {
                const std::lock_guard lock{mutex};
                if (!begun.empty()) {
                    next = begun.front();
                    begun.erase(begun.begin());
                    --outstanding[next->first];
                }
            }
            if (next) {
                next->second.succeed();
            }
        }
    }};
    {
        std::vector<std::jthread> producers;
        for (int t = 0; t < 3; ++t) {
            producers.emplace_back([&] {
                for (int i = 0; i < 200; ++i) {
                    p.submit(begin);
                }
            });
        }
    }
    p.get_submission_group().wait();
    is_over = true;
    EXPECT_LE(most, bound);
    EXPECT_GE(most, 1U);
}

}  // namespace
}  // namespace pointsman::test
