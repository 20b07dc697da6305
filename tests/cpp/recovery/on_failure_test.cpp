// SPDX-License-Identifier: Apache-2.0
// Work that fails runs again as `on_failure` says, on every provided policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "pointsman/recovery/recovering_policy.hpp"
#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// One type for many functions: each type is compiled with each policy.
using function = std::function<int(int)>;
using polled_function = std::function<polled_work(int)>;

template <class Kind>
struct OnFailure : ::testing::Test {
    using policy = typename Kind::template policy<int>;

    static auto with(recovery_options options) {
        return recovering_policy{Kind::over(std::vector{1, 2, 3}), std::move(options)};
    }
    /// A policy that always chooses one resource has no other to fall back to.
    static constexpr bool chooses_one = requires { requires policy::state_type::chooses_one; };
};
TYPED_TEST_SUITE(OnFailure, combined_policy_kinds, kind_names);

TYPED_TEST(OnFailure, leaves_work_that_succeeds_as_it_is) {
    for (const auto failure : {on_failure::raise(), on_failure::retry(2), on_failure::fallback()}) {
        auto p = TestFixture::with({.failure = failure});
        EXPECT_EQ(p.submit(function{[](int) { return 42; }}).unwrap(), 42);
    }
}

TYPED_TEST(OnFailure, throws_what_the_function_threw_if_work_may_run_once) {
    int calls = 0;
    auto p = TestFixture::with({});
    EXPECT_THROW(p.submit(function{[&](int) -> int { ++calls, throw std::domain_error{"no"}; }}),
                 std::domain_error);
    EXPECT_EQ(calls, 1);
}

TYPED_TEST(OnFailure, runs_work_again_as_often_as_retry_allows) {
    int calls = 0;
    auto p = TestFixture::with({.failure = on_failure::retry(2)});
    EXPECT_THROW(p.submit(function{[&](int) -> int { ++calls, throw std::domain_error{"no"}; }}),
                 std::domain_error);
    EXPECT_EQ(calls, 3);
}

TYPED_TEST(OnFailure, tells_where_work_ran_in_the_end_and_why_not_elsewhere) {
    int calls = 0;
    auto p = TestFixture::with({.failure = on_failure::retry(2)});
    auto submission =
        p.submit(function{[&](int r) { return ++calls == 1 ? throw std::domain_error{"no"} : r; }});
    const auto attempts = submission.attempts();
    ASSERT_THAT(attempts, SizeIs(2));
    EXPECT_EQ(detail::text_of(attempts[0].error), "no");
    EXPECT_EQ(attempts[1].error, nullptr);
    EXPECT_EQ(submission.unwrap(), attempts[1].resource);
}

TYPED_TEST(OnFailure, falls_back_to_each_other_resource_once) {
    std::vector<int> places;
    auto p = TestFixture::with({.failure = on_failure::fallback()});
    const function fail = [&](int r) -> int { places.push_back(r), throw std::domain_error{"no"}; };
    EXPECT_THROW(p.submit(fail), std::domain_error);
    if (TestFixture::chooses_one) {
        EXPECT_THAT(places, SizeIs(1));
    } else {
        EXPECT_THAT(places, testing::UnorderedElementsAre(1, 2, 3));
    }
}

TYPED_TEST(OnFailure, runs_pending_work_again_and_lets_the_group_wait_for_it) {
    auto p = TestFixture::with({.failure = on_failure::retry(1)});
    work_list<polled_work> works;
    auto submission = p.submit(polled_function{[&](int r) { return works.begin(r); }});
    works.at(0).fail();
    auto second = works.at(1);
    EXPECT_FALSE(submission.is_ready());
    second.succeed();
    p.get_submission_group().wait();
    EXPECT_TRUE(submission.is_ready());
    EXPECT_EQ(submission.unwrap().state, second.state);
    EXPECT_THAT(detail::text_of(submission.attempts()[0].error), HasSubstr("the work failed"));
}

TYPED_TEST(OnFailure, ends_with_the_last_error_of_pending_work) {
    auto p = TestFixture::with({.failure = on_failure::retry(1)});
    work_list<polled_work> works;
    auto submission = p.submit(polled_function{[&](int r) { return works.begin(r); }});
    works.at(0).fail();
    works.at(1).fail();
    EXPECT_THROW(submission.wait(), std::runtime_error);
    EXPECT_EQ(works.size(), 2U);
}

TYPED_TEST(OnFailure, releases_every_load) {
    auto p = TestFixture::with({.failure = on_failure::retry(1)});
    work_list<polled_work> works;
    auto submission = p.submit(polled_function{[&](int r) { return works.begin(r); }});
    works.at(0).fail();
    works.at(1).fail();
    EXPECT_THROW(submission.wait(), std::runtime_error);
    p.get_submission_group().wait();
    if constexpr (requires { p.policy().loads(); }) {
        EXPECT_EQ(p.policy().loads(), (std::vector<std::size_t>{0, 0, 0}));
    }
}

TEST(OnFailureOfEachRung, runs_work_again_that_has_only_a_wait) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.failure = on_failure::retry(1)}};
    work_list<waited_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    works.at(0).fail();
    const std::jthread later{[&] { works.at(1).succeed(); }};
    submission.wait();
    EXPECT_EQ(works.size(), 2U);
}

TEST(OnFailureOfEachRung, runs_work_again_that_calls_back) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.failure = on_failure::fallback()}};
    work_list<calling_work> works;
    auto submission = p.submit([&](int r) { return works.begin(r); });
    works.at(0).fail();
    works.at(1).succeed();
    submission.wait();
    EXPECT_EQ(works.resource_of(1), 2);
}

TEST(OnFailureOptions, refuse_a_function_that_can_be_called_once) {
    recovering_policy p{round_robin_policy{{1, 2}}};
    const auto take = [](int, std::unique_ptr<int> x) { return *x; };
    EXPECT_EQ(p.submit(take, std::make_unique<int>(7)).unwrap(), 7);
    EXPECT_THAT(
        [&] { p.with({.failure = on_failure::retry(1)}).submit(take, std::make_unique<int>(7)); },
        testing::ThrowsMessage<invalid_option>(HasSubstr("so it can be called once")));
}

TEST(OnFailureOptions, are_shared_by_copies) {
    recovering_policy p{round_robin_policy{{1, 2}}, {.max_outstanding = 1}};
    auto copy = p;
    calling_work work;
    const auto submission = p.submit([&](int) { return work; });
    EXPECT_FALSE(copy.try_submit([](int) {}).has_value());
    EXPECT_TRUE(copy.with({}).try_submit([](int) {}).has_value());
    work.succeed();
}

TEST(OnFailureOptions, notes_no_attempts_of_work_that_runs_once) {
    recovering_policy p{round_robin_policy{{1, 2}}};
    EXPECT_THAT(p.submit([](int r) { return r; }).attempts(), IsEmpty());
}

TEST(OnFailureOptions, warns_once_for_each_resource) {
    std::vector<std::string> warnings;
    recovering_policy p{round_robin_policy{{1, 2}},
                        {.failure = on_failure::retry(1),
                         .warn = [&](const std::string& text) { warnings.push_back(text); }}};
    const auto fail_on_1 = [](int r) { return r == 1 ? throw std::domain_error{"out of ink"} : r; };
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(p.submit(fail_on_1).unwrap(), 2);
    }
    EXPECT_THAT(warnings, testing::ElementsAre(
                              "work failed on 1: out of ink; it runs again, as on_failure allows"));
}

TEST(OnFailureOptions, refuses_values_out_of_range) {
    const auto made_with = [](recovery_options options) {
        return [=] { recovering_policy{round_robin_policy{{1}}, options}; };
    };
    using std::chrono::nanoseconds;
    using testing::ThrowsMessage;
    EXPECT_THAT([] { static_cast<void>(on_failure::retry(0)); },
                ThrowsMessage<invalid_option>(HasSubstr("retry(0) never runs work again")));
    EXPECT_THAT(made_with({.time_limit = nanoseconds{-5}}),
                ThrowsMessage<invalid_option>(HasSubstr("time_limit is -5 ns")));
    EXPECT_THAT(made_with({.times_expected = 1.0}),
                ThrowsMessage<invalid_option>(HasSubstr("does not measure: pass a time_limit")));
    EXPECT_THAT(made_with({.max_outstanding = 0}),
                ThrowsMessage<invalid_option>(HasSubstr("max_outstanding is 0: pass 1 or more")));
    EXPECT_THAT([] { recovering_policy(auto_tune_policy{{1}}, {.times_expected = 1.0}); },
                ThrowsMessage<invalid_option>(HasSubstr("times_expected is 1.0")));
}

}  // namespace
}  // namespace pointsman::test
