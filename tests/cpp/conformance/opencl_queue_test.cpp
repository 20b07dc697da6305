// SPDX-License-Identifier: Apache-2.0
// Every policy over OpenCL queues, and what 10,000 submissions leave behind.
// link: -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clCreateUserEvent
// link: -Wl,--wrap=clEnqueueNDRangeKernel,--wrap=clEnqueueMarkerWithWaitList
// link: -Wl,--wrap=clEnqueueReadBuffer,--wrap=clEnqueueWriteBuffer
#include "conformance/policy_conformance.hpp"
#include "pointsman/resource/opencl/default_queues.hpp"
#include "resource/event_counter.hpp"
#include "resource/opencl_fixture.hpp"

namespace pointsman::test {

struct opencl_case {
    using resource_type = opencl::queue;
    static std::vector<opencl::queue> resources() { return {opencl::queue{}, opencl::queue{}}; }
    static opencl::event work(const opencl::queue& q) {
        return q.enqueue([](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueMarkerWithWaitList(nullptr, done);
        });
    }
    /// On a queue of its own: PoCL 3.1 breaks an assertion when a command fails while another thread
    /// enqueues on the same in-order queue.
    static opencl::event failing_work(const opencl::queue& q) {
        const opencl::queue own{q.device()};
        gate closed{own};
        auto marker = closed.enqueue_marker(own);
        closed.fail(CL_OUT_OF_RESOURCES);
        return marker;
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(OpenclQueue, PolicyConformance, all_policies<opencl_case>,
                               policy_names);

template <class Pair>
struct OpenclEvents : PolicyConformance<Pair> {};
TYPED_TEST_SUITE(OpenclEvents, all_policies<opencl_case>, policy_names);

TYPED_TEST(OpenclEvents, none_is_left_after_10000_submissions) {
    const live_events events;
    {
        typename TestFixture::policy p{this->resources};
        for (int i = 0; i < 10'000; ++i) {
            auto s = p.submit([](const auto& q) { return opencl_case::work(q); });
            if (i % 3 == 0) {
                s.wait();
            }
        }
        p.get_submission_group().wait();
        this->expect_idle(p);
        EXPECT_GE(events.created(), 10'000);
        EXPECT_TRUE(eventually([&] { return events.alive() == 0; }))
            << events.alive() << " events alive while the policy lives";
    }
}

}  // namespace pointsman::test
