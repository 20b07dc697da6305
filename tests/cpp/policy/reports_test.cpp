// SPDX-License-Identifier: Apache-2.0
// Impossible reports are refused and leave the loads unchanged.
#include <gtest/gtest.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/every_policy.hpp"
#include "support/manual_work.hpp"
#include "support/message_of.hpp"

namespace pointsman::test {
namespace {

using loads = std::vector<std::size_t>;
const auto task = [](int) {};

TEST(Reports, of_one_completion_too_many_are_refused) {
    on_every_counting_policy(std::vector{1}, [](auto p) {
        const auto chosen = p.select(task);
        report(chosen, execution_info::task_submission);
        report(chosen, execution_info::task_completion);
        EXPECT_THROW(report(chosen, execution_info::task_completion), unexpected_report);
        EXPECT_EQ(p.loads(), loads{0});
    });
}

TEST(Reports, of_one_completion_too_many_do_not_reduce_other_loads) {
    on_every_counting_policy(std::vector{1}, [](auto p) {
        const auto other = p.select(task);
        const auto chosen = p.select(task);
        report(chosen, execution_info::task_completion);
        EXPECT_THROW(report(chosen, execution_info::task_completion), error);
        EXPECT_EQ(p.loads(), loads{1});
    });
}

TEST(Reports, of_the_completion_of_work_that_the_engine_watches_are_refused) {
    on_every_counting_policy(std::vector{1}, [](auto p) {
        calling_work work;
        auto chosen = p.select(task);
        auto submission = pointsman::submit(chosen, [&](int) { return work; });
        EXPECT_THROW(report(chosen, execution_info::task_completion), unexpected_report);
        EXPECT_EQ(p.loads(), loads{1});
        work.succeed();
        submission.wait();
        EXPECT_EQ(p.loads(), loads{0});
    });
}

TEST(Reports, of_completions_are_accepted_once_for_each_submission) {
    on_every_counting_policy(std::vector{1}, [](auto p) {
        const auto chosen = p.select(task);
        for (int i = 0; i < 3; ++i) {
            report(chosen, execution_info::task_submission);
        }
        EXPECT_EQ(p.loads(), loads{3});
        for (int i = 0; i < 3; ++i) {
            report(chosen, execution_info::task_completion);
        }
        EXPECT_THROW(report(chosen, execution_info::task_completion), unexpected_report);
        report(chosen, execution_info::task_submission);
        report(chosen, execution_info::task_completion);
        EXPECT_EQ(p.loads(), loads{0});
    });
}

TEST(Reports, may_be_made_through_a_copy) {
    on_every_counting_policy(std::vector{1}, [](auto p) {
        const auto chosen = p.select(task);
        const auto copy = chosen;
        report(chosen, execution_info::task_submission);
        report(copy, execution_info::task_completion);
        EXPECT_THROW(report(copy, execution_info::task_completion), unexpected_report);
        EXPECT_EQ(p.loads(), loads{0});
    });
}

TEST(Reports, through_a_moved_selection_are_refused) {
    on_every_counting_policy(std::vector{1}, [](auto p) {
        auto chosen = p.select(task);
        const auto moved = std::move(chosen);
        EXPECT_THROW(report(chosen, execution_info::task_completion), unexpected_report);
        report(moved, execution_info::task_completion);
        EXPECT_EQ(p.loads(), loads{0});
    });
}

TEST(Reports, that_are_refused_name_the_remedy) {
    dynamic_load_policy p{std::vector{1}};
    const auto chosen = p.select(task);
    report(chosen, execution_info::task_completion);
    EXPECT_EQ(
        message_of<std::logic_error>([&] { report(chosen, execution_info::task_completion); }),
        "task_completion was reported for a selection without an outstanding task: report it "
        "once for each task that your code submitted with the selection");
}

}  // namespace
}  // namespace pointsman::test
