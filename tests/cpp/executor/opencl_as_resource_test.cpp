// SPDX-License-Identifier: Apache-2.0
// Runs the conformance suite of every policy over executors of OpenCL queues.
// not under thread: the tests of arenas and queues run there and compile faster than these
#include "conformance/policy_conformance.hpp"
#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/executor/opencl_executor.hpp"
#include "resource/opencl_fixture.hpp"

namespace pointsman::test {

struct opencl_executor_case {
    using resource_type = opencl_executor<blocking_t::never_t>;
    static std::vector<resource_type> resources() {
        return {resource_type{opencl::queue{}}, resource_type{opencl::queue{}}};
    }
    static opencl::event work(const resource_type& executor) {
        return bulk_execute(executor, enqueue_marker, 10);
    }
    /// Uses its own queue: see `conformance/opencl_case.hpp` for the reason.
    static opencl::event failing_work(const resource_type& executor) {
        const resource_type own{opencl::queue{executor.context().device()}};
        gate closed{own.context()};
        const auto marker = execute(own, [&](const opencl::queue& q, const opencl::work_size&) {
            return closed.enqueue_marker(q);
        });
        closed.fail(CL_OUT_OF_RESOURCES);
        return marker;
    }

  private:
    static opencl::event enqueue_marker(const opencl::queue& q, const opencl::work_size&) {
        return q.enqueue([](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueMarkerWithWaitList(nullptr, done);
        });
    }
};
INSTANTIATE_TYPED_TEST_SUITE_P(OpenclExecutor, PolicyConformance,
                               all_policies<opencl_executor_case>, policy_names);

}  // namespace pointsman::test
