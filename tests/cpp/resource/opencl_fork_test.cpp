// SPDX-License-Identifier: Apache-2.0
// A child forked from a process that uses OpenCL gets errors instead of hanging.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "opencl_fixture.hpp"
#include "support/forked_child.hpp"

namespace pointsman::test {
namespace {

using OpenclFork = OpenclTest;

TEST_F(OpenclFork, lets_the_child_enqueue_nothing) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 16, 1.0F);
    queue().enqueue(scale, 16, values, 1.0F).wait();
    EXPECT_TRUE(is_refused_in_a_child([&] { return queue().enqueue(scale, 16, values, 1.0F); }));
}

TEST_F(OpenclFork, lets_the_child_wait_for_no_queue) {
    const gate held{queue()};
    held.enqueue_marker(queue());
    EXPECT_TRUE(is_refused_in_a_child([&] { return queue().wait(), true; }));
}

TEST_F(OpenclFork, lets_the_child_wait_for_no_event) {
    const gate held{queue()};
    const auto done = held.enqueue_marker(queue());
    EXPECT_TRUE(is_refused_in_a_child([&] { return done.wait(), true; }));
}

TEST_F(OpenclFork, lets_the_child_open_nothing) {
    EXPECT_TRUE(is_refused_in_a_child([] { return opencl::devices(); }));
    EXPECT_TRUE(is_refused_in_a_child([] { return opencl::queue{}; }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return opencl::queue{queue().device()}; }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return opencl::queue{queue().handle()}; }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return queue().device().split({1}); }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return opencl::share_context({queue().device()}); }));
}

TEST_F(OpenclFork, lets_the_child_make_no_program_and_no_buffer) {
    EXPECT_TRUE(is_refused_in_a_child([&] { return queue().build(scale_source); }));
    EXPECT_TRUE(is_refused_in_a_child([&] { return filled(queue(), 16, 1.0F); }));
}

TEST_F(OpenclFork, has_failed_every_command_in_the_child) {
    const gate held{queue()};
    const auto done = held.enqueue_marker(queue());
    EXPECT_TRUE(holds_in_a_child([&] {
        listener observer;
        done.on_completion(observer.callback());
        return done.is_ready() && !done.outcome().succeeded && observer.calls == 1 &&
               !observer.end.succeeded && !done.elapsed();
    }));
    EXPECT_FALSE(done.is_ready());
}

TEST_F(OpenclFork, reports_only_to_the_child_that_commands_of_a_watched_queue_failed) {
    gate held{queue()};
    listener parent;
    held.enqueue_marker(queue()).on_completion(parent.callback());
    const auto done = held.enqueue_marker(queue());
    EXPECT_TRUE(holds_in_a_child([&] {
        listener child;
        done.on_completion(child.callback());
        return child.calls == 1 && !child.end.succeeded && parent.calls == 0;
    }));
    held.open();
    parent.notified.wait();
    EXPECT_TRUE(parent.end.succeeded);
}

TEST_F(OpenclFork, lets_the_child_drop_everything_and_exit) {
    std::optional<gate> held{queue()};
    std::optional<opencl::queue> q{queue().device()};
    opencl::event done = held->enqueue_marker(*q);
    listener observer;
    done.on_completion(observer.callback());
    const auto drop_everything = [&]() -> bool {
        done = {};
        q.reset();
#ifdef __SANITIZE_ADDRESS__
        return true;  // LeakSanitizer, which runs at exit, hangs in a forked child
#else
        std::exit(0);
#endif
    };
    EXPECT_TRUE(holds_in_a_child(drop_everything));
    held->open();
    observer.notified.wait();
    EXPECT_TRUE(observer.end.succeeded) << "nothing has changed for the parent";
}

TEST_F(OpenclFork, changes_nothing_for_the_parent) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 16, 1.0F);
    EXPECT_TRUE(is_refused_in_a_child([&] { return queue().enqueue(scale, 16, values, 2.0F); }));
    queue().enqueue(scale, 16, values, 2.0F).wait();
    EXPECT_EQ(read(queue(), values), std::vector<float>(16, 2.0F));
}

}  // namespace
}  // namespace pointsman::test
