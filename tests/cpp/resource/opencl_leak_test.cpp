// SPDX-License-Identifier: Apache-2.0
// Events of completed commands are released: counts of driver calls. Failed events stay for a while.
// link: -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clCreateUserEvent
// link: -Wl,--wrap=clEnqueueNDRangeKernel,--wrap=clEnqueueMarkerWithWaitList
// link: -Wl,--wrap=clEnqueueReadBuffer,--wrap=clEnqueueWriteBuffer
#include <gtest/gtest.h>

#include <memory>

#include "event_counter.hpp"
#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using OpenclEventReferences = OpenclTest;

constexpr std::size_t submissions = 10'000;

TEST_F(OpenclEventReferences, are_released_with_the_events) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 16, 1.0F);
    queue()
        .enqueue(scale, 16, values, 1.0F)
        .wait();  // compiles the kernel now: exit waits for a driver that compiles
    const live_events counted;
    for (std::size_t i = 0; i < submissions; ++i) {
        queue().enqueue(scale, 16, values, 1.0F);
    }
    EXPECT_EQ(counted.created(), static_cast<long>(submissions));
    EXPECT_EQ(counted.alive(), 0);
    queue().wait();
}

TEST_F(OpenclEventReferences, are_released_when_the_listener_is_notified) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 16, 1.0F);
    const auto listeners = std::make_unique<listener[]>(submissions);
    const live_events counted;
    for (std::size_t i = 0; i < submissions; ++i) {
        queue().enqueue(scale, 16, values, 1.0F).on_completion(listeners[i].callback());
    }
    for (std::size_t i = 0; i < submissions; ++i) {
        listeners[i].notified.wait();
    }
    EXPECT_EQ(counted.created(), static_cast<long>(submissions));
    EXPECT_EQ(counted.alive(), 0);
}

TEST_F(OpenclEventReferences, are_released_after_refused_commands) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 16, 1.0F);
    const live_events counted;
    EXPECT_THROW(queue().enqueue(scale, {cl::NDRange{16}, cl::NDRange{5}}, values, 1.0F),
                 opencl::error);
    EXPECT_EQ(counted.alive(), 0);
}

TEST_F(OpenclEventReferences, stay_after_failed_commands_since_the_driver_may_use_them) {
    const live_events counted;
    {
        gate held{queue()};
        listener observer;
        held.enqueue_marker(queue()).on_completion(observer.callback());
        held.fail(CL_OUT_OF_RESOURCES);
        observer.notified.wait();
        EXPECT_FALSE(observer.end.succeeded);
    }
    EXPECT_EQ(counted.alive(), 1) << "the marker";
}

}  // namespace
}  // namespace pointsman::test
