// SPDX-License-Identifier: Apache-2.0
// When, how and how often events report the end of a command.
#include <gtest/gtest.h>

#include <thread>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using OpenclEvent = OpenclTest;

void pass_time() {
    const auto until = clock::now() + std::chrono::milliseconds{5};
    while (clock::now() < until) {
        std::this_thread::yield();
    }
}

TEST_F(OpenclEvent, is_complete_when_empty) {
    opencl::event empty;
    listener observer;
    empty.wait();
    empty.on_completion(observer.callback());
    EXPECT_TRUE(empty.is_ready());
    EXPECT_EQ(observer.calls, 1);
    EXPECT_TRUE(observer.end.succeeded);
    EXPECT_EQ(empty.elapsed(), std::nullopt);
}

TEST_F(OpenclEvent, is_not_ready_before_its_command_completes) {
    gate held{queue()};
    const auto done = held.enqueue_marker(queue());
    EXPECT_FALSE(done.is_ready());
    EXPECT_EQ(done.elapsed(), std::nullopt);
    held.open();
    done.wait();
    EXPECT_TRUE(done.is_ready());
}

TEST_F(OpenclEvent, reports_the_true_end_however_late_it_is_queried) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto before = clock::now();
    const auto done = queue().enqueue(scale, 1 << 20, filled(queue(), 1 << 20, 1.0F), 2.0F);
    done.wait();
    const auto noticed = clock::now();
    pass_time();

    const auto end = done.outcome();
    EXPECT_TRUE(end.succeeded);
    EXPECT_TRUE(end.exact);
    EXPECT_LE(end.end, noticed);
    ASSERT_TRUE(done.elapsed().has_value());
    EXPECT_GE(end.end, before + *done.elapsed());
}

TEST_F(OpenclEvent, has_an_exact_end_if_the_task_is_timed) {
    const pointsman::detail::timing_scope untimed{false};
    const pointsman::detail::timing_scope timed{true};
    const auto done = queue().enqueue(queue().build(scale_source).kernel("scale"), 16,
                                      filled(queue(), 16, 1.0F), 2.0F);
    done.wait();
    EXPECT_TRUE(done.outcome().exact);
}

TEST_F(OpenclEvent, bounds_the_end_of_an_untimed_task) {
    const pointsman::detail::timing_scope untimed{false};
    const auto before = clock::now();
    const auto done = queue().enqueue(queue().build(scale_source).kernel("scale"), 16,
                                      filled(queue(), 16, 1.0F), 2.0F);
    done.wait();
    const auto end = done.outcome();
    EXPECT_TRUE(end.succeeded);
    EXPECT_GE(end.end, before);
    if (opencl::detail::notice_for(queue().device().handle()) == opencl::detail::notice::callback) {
        EXPECT_FALSE(end.exact);
    }
    EXPECT_TRUE(done.elapsed().has_value()) << "the device has timed it anyway";
}

TEST_F(OpenclEvent, never_reports_an_end_before_the_command_could_start) {
    gate held{queue()};
    const auto before = clock::now();
    const auto done = held.enqueue_marker(queue());
    const auto enqueued = clock::now();
    pass_time();
    const auto opened = clock::now();
    held.open();
    done.wait();
    EXPECT_GE(done.outcome().end, opened - (enqueued - before)) << "early by more than the enqueue";
}

TEST_F(OpenclEvent, reports_an_upper_bound_when_the_enqueue_was_not_seen) {
    gate held{queue()};
    const auto seen = held.enqueue_marker(queue());
    pass_time();
    const opencl::event unseen{seen.handle()};
    held.open();
    unseen.wait();
    EXPECT_FALSE(unseen.outcome().exact);
    const auto seen_end = seen.outcome().end;  // queried first: it may be the query's time
    EXPECT_GE(unseen.outcome().end, seen_end);
}

TEST_F(OpenclEvent, reports_an_upper_bound_without_profiling) {
    const opencl::queue plain{queue().device(), {.profiling = false}};
    gate held{plain};
    const auto done = held.enqueue_marker(plain);
    held.open();
    done.wait();
    EXPECT_TRUE(done.outcome().succeeded);
    EXPECT_FALSE(done.outcome().exact);
    EXPECT_EQ(done.elapsed(), std::nullopt);
}

TEST_F(OpenclEvent, calls_back_once_when_registered_before_the_end) {
    gate held{queue()};
    const auto done = held.enqueue_marker(queue());
    listener observer;
    done.on_completion(observer.callback());
    EXPECT_EQ(observer.calls, 0);
    held.open();
    observer.notified.wait();
    queue().wait();
    EXPECT_EQ(observer.calls, 1);
    EXPECT_TRUE(observer.end.succeeded);
    EXPECT_LE(observer.end.end, done.outcome().end);
}

TEST_F(OpenclEvent, calls_back_once_when_registered_after_the_end) {
    gate held{queue()};
    held.open();
    const auto done = held.enqueue_marker(queue());
    done.wait();
    listener observer;
    done.on_completion(observer.callback());
    observer.notified.wait();
    EXPECT_EQ(observer.calls, 1);
}

TEST_F(OpenclEvent, calls_back_when_every_handle_was_dropped) {
    gate held{queue()};
    listener observer;
    held.enqueue_marker(queue()).on_completion(observer.callback());
    held.open();
    observer.notified.wait();
    EXPECT_TRUE(observer.end.succeeded);
}

TEST_F(OpenclEvent, calls_back_once_when_the_watcher_polls_it) {
    gate held{queue()};
    const auto done = held.enqueue_marker(queue());
    const opencl::event polled{
        opencl::detail::command{.event = done.handle(),
                                .enqueued = clock::now(),
                                .stamped = opencl::detail::timestamps::none,
                                .noticed_by = opencl::detail::notice::polling}};
    listener observer;
    polled.on_completion(observer.callback());
    EXPECT_EQ(observer.calls, 0);
    held.open();
    observer.notified.wait();
    EXPECT_EQ(observer.calls, 1);
    EXPECT_TRUE(observer.end.succeeded);
    EXPECT_FALSE(observer.end.exact);
}

TEST_F(OpenclEvent, of_failed_work_throws_its_code_and_reports_failure) {
    gate held{queue()};
    const opencl::event done{held.event()};
    listener observer;
    done.on_completion(observer.callback());
    held.fail(CL_OUT_OF_RESOURCES);
    observer.notified.wait();
    EXPECT_FALSE(observer.end.succeeded);
    EXPECT_FALSE(done.outcome().succeeded);
    EXPECT_TRUE(done.is_ready());
    try {
        done.wait();
        FAIL() << "wait() did not throw";
    } catch (const pointsman::error& caught) {
        const auto& failed = dynamic_cast<const opencl::error&>(caught);
        EXPECT_EQ(failed.code(), CL_OUT_OF_RESOURCES);
        EXPECT_NE(std::string{failed.what()}.find("CL_OUT_OF_RESOURCES (-5)"), std::string::npos);
    }
}

TEST_F(OpenclEvent, that_depends_on_failed_work_fails) {
    gate held{queue()};
    const auto done = held.enqueue_marker(queue());
    listener observer;
    done.on_completion(observer.callback());
    held.fail(CL_OUT_OF_RESOURCES);
    observer.notified.wait();
    EXPECT_FALSE(observer.end.succeeded);
    EXPECT_THROW(done.wait(), opencl::error);
}

TEST_F(OpenclEvent, of_failed_work_stays_alive_for_the_driver) {
    cl::UserEvent fails{queue().context()};
    const auto references = fails.getInfo<CL_EVENT_REFERENCE_COUNT>();
    fails.setStatus(CL_OUT_OF_RESOURCES);
    {
        const opencl::event done{fails};
        EXPECT_THROW(done.wait(), opencl::error);
    }
    EXPECT_EQ(fails.getInfo<CL_EVENT_REFERENCE_COUNT>(), references + 1);
}

TEST_F(OpenclEvent, of_a_user_event_that_is_never_set_is_dropped_without_waiting) {
    gate held{queue()};
    const opencl::event never{held.event()};
    EXPECT_FALSE(never.is_ready());
}

TEST_F(OpenclEvent, wraps_a_command_that_was_not_flushed) {
    const auto buffer = filled(queue(), 4, 1.0F);
    std::vector<float> values(4);
    cl::Event handle;
    queue().handle().enqueueReadBuffer(buffer, CL_FALSE, 0, 16, values.data(), nullptr, &handle);
    const opencl::event done{handle};
    while (!done.is_ready()) {
        std::this_thread::yield();
    }
    EXPECT_EQ(values, std::vector<float>(4, 1.0F));
}

TEST_F(OpenclEvent, has_the_time_that_the_device_took) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto before = clock::now();
    const auto done = queue().enqueue(scale, 1000, filled(queue(), 1000, 1.0F), 2.0F);
    done.wait();
    ASSERT_TRUE(done.elapsed().has_value());
    EXPECT_GE(*done.elapsed(), clock::duration::zero());
    EXPECT_LE(*done.elapsed(), clock::now() - before);
}

}  // namespace
}  // namespace pointsman::test
