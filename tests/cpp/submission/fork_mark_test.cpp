// SPDX-License-Identifier: Apache-2.0
// Objects created before a fork are distinguished from objects created after it.
#include "pointsman/base/fork_mark.hpp"

#include <gtest/gtest.h>

#include "pointsman/submission/default_submission_group.hpp"
#include "support/forked_child.hpp"

namespace pointsman::test {
namespace {

struct never_over final : detail::pollable_work {
    pointsman::detail::poll_result poll() noexcept override {
        return pointsman::detail::poll_result::nothing_new;
    }
};

TEST(ForkMark, is_stale_in_a_child_and_its_children_and_nowhere_else) {
    const detail::fork_mark mark;
    EXPECT_TRUE(holds_in_a_child(
        [&] { return mark.is_stale() && holds_in_a_child([&] { return mark.is_stale(); }); }));
    EXPECT_FALSE(mark.is_stale());
}

TEST(ForkMark, is_fresh_when_made_in_the_child) {
    const detail::fork_mark arms_the_handler;
    EXPECT_TRUE(holds_in_a_child([] { return !detail::fork_mark{}.is_stale(); }));
}

TEST(ForkMark, names_what_the_child_cannot_use) {
    const detail::fork_mark mark;
    EXPECT_TRUE(is_refused_in_a_child([&] { return mark.check("A thing"), true; }));
    EXPECT_TRUE(holds_in_a_child([&] {
        try {
            mark.check("A thing");
        } catch (const forked_process& refused) {
            return std::string{refused.what()}.starts_with("A thing was in use");
        }
        return false;
    }));
}

TEST(SubmissionGroupFork, lets_the_child_wait_for_nothing_that_the_parent_submitted) {
    const auto group = detail::make_ref<detail::submission_group_state>();
    const auto phase = group->enter();
    EXPECT_TRUE(is_refused_in_a_child([&] { return group->wait(), true; }));
    group->leave(phase);
    EXPECT_TRUE(holds_in_a_child([&] { return group->wait(), true; }));
}

TEST(SubmissionGroupFork, does_not_concern_groups_that_the_child_made) {
    EXPECT_TRUE(holds_in_a_child([] {
        const auto group = detail::make_ref<detail::submission_group_state>();
        group->leave(group->enter());
        group->wait();
        return true;
    }));
}

TEST(WatcherFork, lets_the_child_watch_nothing_with_the_thread_of_the_parent) {
    static_cast<void>(detail::watcher::instance());
    EXPECT_TRUE(is_refused_in_a_child([] {
        detail::watcher::instance().watch(detail::make_ref<never_over>());
        return true;
    }));
}

/// Leaves the group as soon as a thread waits for the group.
struct ends_when_waited_for final : detail::kept_work {
    ends_when_waited_for(detail::submission_group_state& of, unsigned entered)
        : group{&of}, phase{entered} {}
    bool wait_quietly() noexcept override {
        group->leave(phase);
        return true;
    }
    detail::poll_result poll() noexcept override { return detail::poll_result::over; }

    detail::submission_group_state* group;
    unsigned phase;
};

TEST(SubmissionGroupFork, lets_a_child_that_inherits_nothing_unfinished_wait_for_its_own) {
    const auto group = detail::make_ref<detail::submission_group_state>();
    EXPECT_TRUE(holds_in_a_child([&] {
        const auto phase = group->enter();
        group->kept()->keep(nullptr, detail::make_ref<ends_when_waited_for>(*group, phase));
        group->wait();
        return true;
    }));
}

}  // namespace
}  // namespace pointsman::test
