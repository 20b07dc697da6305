// SPDX-License-Identifier: Apache-2.0
// dynamic_load_policy: its choices, and releasing the load of work however it ends.
#include "pointsman/policy/dynamic_load_policy.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "pointsman/selection/select.hpp"
#include "pointsman/selection/submit.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"
#include "support/tracked_backend.hpp"

namespace {

using pointsman::dynamic_load_policy;
using pointsman::tie_break;
namespace t = pointsman::test;
using loads = std::vector<std::size_t>;

TEST(DynamicLoad, chooses_the_resource_with_the_least_outstanding_work) {
    dynamic_load_policy p{{0, 1, 2}};
    std::vector<t::calling_work> work(3);
    for (auto& w : work) {
        static_cast<void>(p.submit([&](int) { return w; }));
    }
    EXPECT_EQ(p.loads(), (loads{1, 1, 1}));
    work[1].succeed();
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 1);
    work[0].succeed();
    work[2].succeed();
}

TEST(DynamicLoad, rotates_ties) {
    dynamic_load_policy p{{0, 1, 2}, 1};
    std::vector<int> chosen;
    for (int i = 0; i < 6; ++i) {
        chosen.push_back(p.submit([](int r) { return r; }).unwrap());
    }
    EXPECT_EQ(chosen, (std::vector{1, 2, 0, 1, 2, 0}));
}

TEST(DynamicLoad, gives_ties_to_the_first_when_asked_to) {
    dynamic_load_policy p{{0, 1, 2}, 0, tie_break::first};
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(p.submit([](int r) { return r; }).unwrap(), 0);
    }
}

TEST(DynamicLoad, gives_ties_to_the_first_counting_from_the_offset) {
    dynamic_load_policy p{std::vector{0, 1, 2}, 1, tie_break::first};
    t::calling_work work;
    const auto busy = p.submit([&](int) { return work; });
    std::vector<int> chosen;
    for (int i = 0; i < 4; ++i) {
        chosen.push_back(p.submit([](int r) { return r; }).unwrap());
    }
    EXPECT_EQ(chosen, (std::vector{2, 2, 2, 2}));
    work.succeed();
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 1);
}

TEST(DynamicLoad, accepts_tie_break_with_an_adapter_and_in_initialize) {
    const auto negated = [](int r) { return -r; };
    dynamic_load_policy p{{0, 1, 2}, negated, 2, tie_break::first};
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 2);
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 2);
    p.initialize({3, 4}, 0, tie_break::first);
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 3);
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 3);
}

TEST(DynamicLoad, releases_load_when_the_function_throws) {
    dynamic_load_policy p{{0, 1}};
    for (int i = 0; i < 100; ++i) {
        EXPECT_THROW(p.submit([](int r) -> int { throw r; }), int);
    }
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(DynamicLoad, releases_load_when_the_work_fails) {
    dynamic_load_policy p{{0, 1}};
    t::calling_work work;
    auto s = p.submit([&](int) { return work; });
    work.fail();
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(DynamicLoad, a_selection_counts_as_load_until_it_is_dropped) {
    dynamic_load_policy p{{0, 1}};
    {
        const auto s = pointsman::select(p);
        EXPECT_EQ(p.loads(), (loads{1, 0}));
    }
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(DynamicLoad, the_first_submission_of_a_selection_does_not_count_again) {
    dynamic_load_policy p{{0, 1}};
    t::calling_work first;
    t::calling_work second;
    {
        auto s = pointsman::select(p);
        static_cast<void>(pointsman::submit(s, [&](int) { return first; }));
        EXPECT_EQ(p.loads(), (loads{1, 0}));
        static_cast<void>(pointsman::submit(s, [&](int) { return second; }));
        EXPECT_EQ(p.loads(), (loads{2, 0}));
    }
    first.succeed();
    second.succeed();
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(DynamicLoad, a_selection_may_be_reported_by_hand) {
    dynamic_load_policy p{{0, 1}};
    namespace info = pointsman::execution_info;
    auto s = pointsman::select(p);
    pointsman::report(s, info::task_submission);
    EXPECT_EQ(p.loads(), (loads{1, 0}));
    pointsman::report(s, info::task_completion);
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(DynamicLoad, a_selection_reported_complete_at_once_is_released_once) {
    dynamic_load_policy p{{0, 1}};
    {
        auto s = pointsman::select(p);
        pointsman::report(s, pointsman::execution_info::task_completion);
    }
    EXPECT_EQ(p.loads(), (loads{0, 0}));
}

TEST(DynamicLoad, works_on_a_lazy_backend_that_copies_its_selections) {
    dynamic_load_policy<int, pointsman::identity, t::tracked_backend<int>> p{{0, 1}};
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 0);
    EXPECT_EQ(p.loads(), (loads{1, 0})) << "nothing was reported yet";
    EXPECT_EQ(p.submit([](int r) { return r; }).unwrap(), 1);
    EXPECT_EQ(p.loads(), (loads{0, 1})) << "the first was reported before the second was placed";
}

TEST(DynamicLoad, refuses_an_empty_set_with_a_remedy) {
    const auto message = t::message_of<std::invalid_argument>(
        [] { dynamic_load_policy<int> p{std::vector<int>{}}; });
    EXPECT_NE(message.find("empty (size 0)"), std::string::npos) << message;
    EXPECT_NE(message.find("pass at least one"), std::string::npos) << message;
}

}  // namespace
