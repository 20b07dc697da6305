// SPDX-License-Identifier: Apache-2.0
// What a recovering submission is to generic code, and how it moves and is dropped.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/manual_work.hpp"
#include "support/work_list.hpp"

namespace pointsman::test {
namespace {

struct RecoveringSubmission : ::testing::Test {
    recovering_policy<round_robin_policy<int>> once{round_robin_policy{{1, 2}}};
    recovering_policy<round_robin_policy<int>> twice = once.with({.failure = on_failure::retry(1)});
    work_list<calling_work> works;
    std::function<calling_work(int)> begin = [this](int r) { return works.begin(r); };
};

TEST_F(RecoveringSubmission, is_a_submission) {
    EXPECT_TRUE(submission<decltype(once.submit(begin))>);
    EXPECT_TRUE(std::is_nothrow_move_constructible_v<decltype(once.submit(begin))>);
}

TEST_F(RecoveringSubmission, runs_on_after_it_was_dropped) {
    static_cast<void>(twice.submit(begin));
    works.at(0).fail();
    works.at(1).succeed();
    twice.get_submission_group().wait();
}

TEST_F(RecoveringSubmission, moves_with_its_work) {
    auto first = once.submit(begin);
    auto second = once.submit(begin);
    first = std::move(second);
    works.at(1).succeed();
    first.wait();
    works.at(0).succeed();
}

TEST_F(RecoveringSubmission, of_work_that_has_only_a_wait_leaves_it_to_the_group) {
    work_list<waited_work> waited;
    static_cast<void>(twice.submit([&](int r) { return waited.begin(r); }));
    waited.at(0).succeed();
    twice.get_submission_group().wait();
}

TEST_F(RecoveringSubmission, keeps_references_and_results_that_cannot_be_copied) {
    int x = 1;
    EXPECT_EQ(&once.submit([&](int) -> int& { return x; }).unwrap(), &x);
    EXPECT_EQ(&twice.submit([&](int) -> int& { return x; }).unwrap(), &x);
    EXPECT_EQ(*twice.submit([](int) { return std::make_unique<int>(7); }).unwrap(), 7);
    twice.submit([](int) {}).unwrap();
}

}  // namespace
}  // namespace pointsman::test
