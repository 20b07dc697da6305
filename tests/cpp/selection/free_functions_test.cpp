// SPDX-License-Identifier: Apache-2.0
// The free functions, on policies that offer only one way to submit.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "pointsman/dynamic_selection.hpp"

namespace {

namespace pm = pointsman;

struct only_try_submit {
    using resource_type = int;
    std::vector<int> get_resources() { return {1}; }
    template <class F, class... Args>
    auto try_submit(F&& f, Args&&... args) {
        using submission = pm::default_submission<int>;
        return ++attempts < 3 ? std::optional<submission>{}
                              : std::optional<submission>{submission{f(1, args...)}};
    }
    int attempts = 0;
};

struct only_submit_and_wait {
    using resource_type = int;
    std::vector<int> get_resources() { return {1}; }
    template <class F, class... Args>
    void submit_and_wait(F&& f, Args&&... args) {
        f(1, args...);
    }
};

struct any_call {
    template <class... Args>
    int operator()(Args...) const {
        return 5;
    }
};

static_assert(pm::policy<only_submit_and_wait>);
static_assert(!pm::policy<int>);
static_assert(!pm::policy_traits<only_submit_and_wait>::has_async_submit);
static_assert(pm::policy_traits<pm::round_robin_policy<int>>::has_async_submit);
static_assert(std::is_same_v<pm::resource_t<pm::round_robin_policy<int>>, int>);
static_assert(pm::selection<pm::selection_t<pm::auto_tune_policy<int>>>);

TEST(FreeFunctions, derive_submit_from_try_submit) {
    only_try_submit p;
    EXPECT_EQ(pm::submit(p, any_call{}, 4).unwrap(), 5);
    EXPECT_EQ(p.attempts, 3);
    pm::submit_and_wait(p, any_call{});
}

TEST(FreeFunctions, use_submit_and_wait_if_there_is_nothing_else) {
    only_submit_and_wait p;
    int got = 0;
    pm::submit_and_wait(p, [&](int r, int x) { got = r + x; }, 4);
    EXPECT_EQ(got, 5);
}

TEST(FreeFunctions, call_every_operation_of_a_policy) {
    pm::round_robin_policy p{{1, 2}};
    EXPECT_EQ(pm::submit(p, [](int r, int x) { return r * x; }, 10).unwrap(), 10);
    EXPECT_EQ(pm::try_submit(p, [](int r) { return r; })->unwrap(), 2);
    pm::submit_and_wait(p, [](int) {});
    auto s = pm::select(p);
    EXPECT_EQ(pm::unwrap(s), 2);
    EXPECT_EQ(pm::submit(s, [](int r) { return r; }).unwrap(), 2);
    pm::submit_and_wait(std::move(s), [](int r) { EXPECT_EQ(r, 2); });
    EXPECT_EQ(pm::get_resources(p), (std::vector{1, 2}));
    pm::wait(pm::get_submission_group(p));
}

TEST(FreeFunctions, deduce_the_policy_from_resources_and_adapter) {
    auto dereference = [](auto* r) { return *r; };
    int a = 1;
    int b = 2;
    pm::dynamic_load_policy p{{&a, &b}, dereference};
    EXPECT_EQ(pm::submit(p, [](int* r) { return *r; }).unwrap(), 1);
    pm::auto_tune_policy q{std::vector{&a, &b}, dereference, std::chrono::milliseconds{3}};
    EXPECT_EQ(pm::submit(q, [](int* r) { return *r; }).unwrap(), 1);
}

}  // namespace
