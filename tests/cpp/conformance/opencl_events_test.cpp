// SPDX-License-Identifier: Apache-2.0
// Counts the events left after 10,000 submissions to OpenCL queues. No command fails in this
// program: the events of failed commands are kept for seconds.
// link: -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clCreateUserEvent
// link: -Wl,--wrap=clEnqueueNDRangeKernel,--wrap=clEnqueueMarkerWithWaitList
// link: -Wl,--wrap=clEnqueueReadBuffer,--wrap=clEnqueueWriteBuffer
#include <gtest/gtest.h>

#include "conformance/opencl_case.hpp"
#include "resource/event_counter.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"

namespace pointsman::test {
namespace {

template <class Kind>
struct OpenclEvents : ::testing::Test {};
TYPED_TEST_SUITE(OpenclEvents, policy_kinds, kind_names);

TYPED_TEST(OpenclEvents, are_all_released_after_10000_submissions) {
    const auto queues = opencl_case::resources();
    const live_events events;
    typename TypeParam::template policy<opencl::queue> p{queues};
    for (int i = 0; i < 10'000; ++i) {
        auto s = p.submit([](const auto& q) { return opencl_case::work(q); });
        if (i % 3 == 0) {
            s.wait();
        }
    }
    p.get_submission_group().wait();
    EXPECT_GE(events.created(), 10'000);
    EXPECT_TRUE(eventually([&] { return events.alive() == 0; }))
        << events.alive() << " events alive while the policy exists";
}

}  // namespace
}  // namespace pointsman::test
