// SPDX-License-Identifier: Apache-2.0
// OpenCL queues as resources of the conformance suite.
#pragma once

#include <vector>

#include "pointsman/resource/opencl/default_queues.hpp"
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
    /// Uses its own queue: PoCL 3.1 fails an assertion when a command fails while another thread
    /// enqueues on the same in-order queue.
    static opencl::event failing_work(const opencl::queue& q) {
        const opencl::queue own{q.device()};
        gate closed{own};
        auto marker = closed.enqueue_marker(own);
        closed.fail(CL_OUT_OF_RESOURCES);
        return marker;
    }
};

}  // namespace pointsman::test
