// SPDX-License-Identifier: Apache-2.0
// token_policy limits the outstanding work of each resource; further submissions wait.
#include "pointsman/policy/token_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "pointsman/selection/select.hpp"
#include "pointsman/selection/submit.hpp"
#include "support/eventually.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"
#include "support/tracked_backend.hpp"

namespace {

using namespace std::chrono_literals;
using pointsman::token_policy;
using loads = std::vector<std::size_t>;
namespace t = pointsman::test;

int resource(int r) { return r; }

TEST(Token, never_has_more_outstanding_than_there_are_tokens) {
    token_policy p{{0, 1}, 2};
    std::vector<t::calling_work> work(4);
    for (auto& w : work) {
        EXPECT_TRUE(p.try_submit([&](int) { return w; }).has_value());
    }
    EXPECT_EQ(p.loads(), (loads{2, 2}));
    bool called = false;
    EXPECT_FALSE(p.try_submit([&](int) { called = true; }).has_value());
    EXPECT_FALSE(called);
    work[1].succeed();
    EXPECT_EQ(p.try_submit(resource)->unwrap(), 1);
    for (auto& w : work) {
        w.succeed();
    }
}

TEST(Token, gives_ties_to_the_first_when_asked_to) {
    token_policy p{{0, 1, 2}, 3, pointsman::tie_break::first};
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(p.submit(resource).unwrap(), 0);
    }
}

TEST(Token, takes_the_least_loaded_resource) {
    token_policy p{{0, 1, 2}, 3};
    std::vector<t::calling_work> work(3);
    for (auto& w : work) {
        static_cast<void>(p.submit([&](int) { return w; }));
    }
    work[1].succeed();
    EXPECT_EQ(p.submit(resource).unwrap(), 1);
    work[0].succeed();
    work[2].succeed();
}

TEST(Token, returns_the_token_on_every_path) {
    token_policy p{{0}, 1};
    EXPECT_THROW(p.submit([](int) { throw std::runtime_error{"no"}; }), std::runtime_error);
    t::calling_work failing;
    static_cast<void>(p.submit([&](int) { return failing; }));
    failing.fail();
    static_cast<void>(p.select());
    p.submit_and_wait([](int) {});
    EXPECT_EQ(p.loads(), (loads{0}));
}

TEST(Token, submit_waits_for_the_end_of_work) {
    token_policy p{{0}, 1};
    t::calling_work work;
    static_cast<void>(p.submit([&](int) { return work; }));
    std::atomic<bool> done{false};
    std::jthread submitter{[&] {
        p.submit(resource);
        done = true;
    }};
    EXPECT_FALSE(done);
    work.succeed();
    EXPECT_TRUE(t::eventually([&] { return done.load(); }));
}

TEST(Token, a_const_selection_passes_its_token_on) {
    token_policy p{{0}, 1};
    const auto chosen = p.select();
    t::calling_work work;
    auto running = pointsman::submit(chosen, [&](int) { return work; });
    EXPECT_EQ(p.loads(), (loads{1}));
    work.succeed();
    running.wait();
    EXPECT_EQ(p.loads(), (loads{0}));
}

TEST(Token, a_timeout_ends_the_wait) {
    token_policy p{{0}, 1};
    const auto held = p.select();
    EXPECT_THROW(p.submit(pointsman::submit_options{.timeout = 1ms}, resource),
                 pointsman::submit_timeout);
    EXPECT_EQ(p.loads(), (loads{1}));
}

TEST(Token, works_on_a_user_defined_backend) {
    token_policy<int, pointsman::identity, t::tracked_backend<int>> p{{0}, 1};
    EXPECT_EQ(p.submit(resource).unwrap(), 0);
    EXPECT_EQ(p.loads(), (loads{1})) << "nothing was reported yet";
    EXPECT_EQ(p.submit(resource).unwrap(), 0) << "the first was reported before the second";
}

TEST(Token, refuses_zero_tokens_with_a_remedy) {
    EXPECT_EQ(t::message_of<std::invalid_argument>([] { token_policy<int> p{{1}, 0}; }),
              "tokens is 0, so nothing could run: pass 1 or more");
}

struct TokenThreads : ::testing::TestWithParam<int> {};

TEST_P(TokenThreads, never_hold_more_tokens_than_there_are) {
    constexpr int tokens = 2;
    token_policy p{{0, 1, 2}, tokens};
    std::array<std::atomic<int>, 3> running{};
    std::atomic<int> most{0};
    std::atomic<int> calls{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < GetParam(); ++i) {
            threads.emplace_back([&] {
                for (int n = 0; n < 1000; ++n) {
                    p.submit([&](int r) {
                        auto& here = running[static_cast<std::size_t>(r)];
                        const int now = ++here;
                        for (int seen = most;
                             seen < now && !most.compare_exchange_weak(seen, now);) {
                        }
                        ++calls;
                        --here;
                    });
                }
            });
        }
    }
    EXPECT_LE(most, tokens);
    EXPECT_EQ(calls, GetParam() * 1000);
    EXPECT_EQ(p.loads(), (loads{0, 0, 0}));
}
INSTANTIATE_TEST_SUITE_P(, TokenThreads, ::testing::Values(1, 2, 7, 16),
                         [](const auto& threads) { return std::to_string(threads.param); });

}  // namespace
