// SPDX-License-Identifier: Apache-2.0
// A command queue whose owner releases it by the C API, while pointsman uses it.
#include <gtest/gtest.h>

#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"

namespace pointsman::test {
namespace {

struct OpenclReleasedQueue : OpenclTest {
    /// A queue of the C API, which the caller releases.
    [[nodiscard]] cl_command_queue raw_queue() {
        cl_int result = CL_SUCCESS;
        cl_command_queue made = clCreateCommandQueueWithProperties(
            queue().context()(), queue().device().handle()(), nullptr, &result);
        EXPECT_EQ(result, CL_SUCCESS);
        return made;
    }
    /// Wraps `raw`, whose reference stays the caller's.
    [[nodiscard]] static opencl::queue wrapped(cl_command_queue raw) {
        return opencl::queue{cl::CommandQueue{raw, true}};
    }
};

TEST_F(OpenclReleasedQueue, completes_the_commands_that_were_in_flight) {
    cl_command_queue raw = raw_queue();
    const opencl::queue q = wrapped(raw);
    gate closed{queue()};
    auto done = closed.enqueue_marker(q);
    EXPECT_EQ(clReleaseCommandQueue(raw), CL_SUCCESS);
    closed.open();
    done.wait();
}

TEST_F(OpenclReleasedQueue, takes_further_commands_as_pointsman_holds_a_reference_of_its_own) {
    cl_command_queue raw = raw_queue();
    const opencl::queue q = wrapped(raw);
    EXPECT_EQ(clReleaseCommandQueue(raw), CL_SUCCESS);
    const auto memory = q.take_buffer(4096);
    q.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
         commands.enqueueFillBuffer(memory.handle(), cl_int{7}, 0, 4096, nullptr, done);
     }).wait();
    cl_int first = 0;
    q.handle().enqueueReadBuffer(memory.handle(), CL_TRUE, 0, sizeof first, &first);
    EXPECT_EQ(first, 7);
}

TEST_F(OpenclReleasedQueue, stays_healthy_in_a_policy) {
    cl_command_queue raw = raw_queue();
    recovering_policy p{round_robin_policy{std::vector{wrapped(raw), queue()}},
                        {.failure = on_failure::fallback()}};
    const auto mark = [](const opencl::queue& q) { return q.mark(); };
    auto first = p.submit(mark);
    EXPECT_EQ(clReleaseCommandQueue(raw), CL_SUCCESS);
    for (int i = 0; i < 10; ++i) {
        auto submission = p.submit(mark);
        submission.wait();
        EXPECT_EQ(submission.attempts().size(), 1U);
    }
    first.wait();
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
}

}  // namespace
}  // namespace pointsman::test
