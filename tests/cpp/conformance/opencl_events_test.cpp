// SPDX-License-Identifier: Apache-2.0
// Counts the events left after 10,000 submissions to OpenCL queues, also where tasks throw and run elsewhere. No
// command fails in this program: the events of failed commands are kept for seconds.
// link: -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clCreateUserEvent
// link: -Wl,--wrap=clEnqueueNDRangeKernel,--wrap=clEnqueueMarkerWithWaitList
// link: -Wl,--wrap=clEnqueueReadBuffer,--wrap=clEnqueueWriteBuffer
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

#include "conformance/opencl_case.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "resource/event_counter.hpp"
#include "support/eventually.hpp"
#include "support/every_policy.hpp"
#include "support/on_threads.hpp"
#include "support/printer_lost.hpp"

namespace pointsman::test {
namespace {

template <class Kind>
struct OpenclEvents : ::testing::Test {};
TYPED_TEST_SUITE(OpenclEvents, combined_policy_kinds, kind_names);

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

TYPED_TEST(OpenclEvents, are_all_released_after_tasks_failed_and_ran_elsewhere) {
    using std::chrono::microseconds;
    const auto queues = opencl_case::resources();
    const live_events events;
    recovering_policy p{TypeParam::over(queues),
                        {.failure = on_failure::retry(3), .max_outstanding = 64},
                        health_settings{.failures = 2, .back_off = microseconds{50}}};
    std::atomic<int> runs{0};
    on_threads(4, [&](int) {
        for (int i = 0; i < 2'500; ++i) {
            auto s = p.submit([&](const opencl::queue& q) {
                const int run = ++runs;
                if (run % 20 == 0) {
                    throw std::domain_error{"by the fault of the work"};
                }
                auto event = opencl_case::work(q);
                if (run % 50 == 0) {
                    throw printer_lost{"after a command was enqueued"};
                }
                return event;
            });
            if (i % 3 == 0) {
                s.wait();
            }
        }
    });
    p.get_submission_group().wait();
    EXPECT_GT(runs, 10'500);
    EXPECT_TRUE(eventually([&] { return events.alive() == 0; }))
        << events.alive() << " events alive while the policy exists";
}

}  // namespace
}  // namespace pointsman::test
