// SPDX-License-Identifier: Apache-2.0
// Promises 25 to 27, each against a mistake of other implementations of dynamic selection, on OpenCL.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "pointsman/dynamic_selection.hpp"
#include "pointsman/resource/any_resource.hpp"
#include "resource/opencl_fixture.hpp"
#include "support/every_policy.hpp"

namespace pointsman::test {
namespace {

using OpenclPromise = OpenclTest;

opencl::event marker(const opencl::queue& q) {
    return q.enqueue([](const cl::CommandQueue& commands, cl::Event* done) {
        commands.enqueueMarkerWithWaitList(nullptr, done);
    });
}

// 25
TEST_F(OpenclPromise, the_default_set_holds_a_device_under_two_drivers_once) {
    using opencl::detail::device_identity;
    int drivers[2];
    const auto under = [&](int& driver) {
        return device_identity{reinterpret_cast<cl_platform_id>(&driver),
                               device_identity::uuid_bytes{1}, std::nullopt};
    };
    EXPECT_TRUE(under(drivers[0]).is_same_as(under(drivers[1])));
    const round_robin_policy<opencl::queue> p;
    const auto queues = p.get_resources();
    EXPECT_EQ(queues.size(), opencl::devices().size());
    for (auto one = queues.begin(); one != queues.end(); ++one) {
        EXPECT_TRUE(std::none_of(one + 1, queues.end(), [&](const opencl::queue& other) {
            const auto identity = opencl::detail::identity_of(one->device().handle());
            return one->device() == other.device() ||
                   identity.is_same_as(opencl::detail::identity_of(other.device().handle()));
        }));
    }
}

// 26
TEST_F(OpenclPromise, a_device_that_fails_at_once_is_not_taken_for_a_fast_one) {
    const opencl::queue failing{queue().device()};
    auto_tune_policy p{{failing, queue()}};
    int failures = 0;
    for (int i = 0; i < 60; ++i) {
        try {
            p.submit_and_wait([&](const opencl::queue& q) {
                if (q != failing) {
                    return marker(q);
                }
                ++failures;
                gate closed{q};
                closed.fail(CL_OUT_OF_RESOURCES);
                return opencl::event{closed.event()};
            });
        } catch (const opencl::error& thrown) {
            EXPECT_EQ(thrown.code(), CL_OUT_OF_RESOURCES);
        }
    }
    EXPECT_GE(failures, 2);
    EXPECT_LE(failures, 15);
    EXPECT_EQ(p.loads(), (std::vector<std::size_t>{0, 0}));
}

// 27
TEST_F(OpenclPromise, queues_without_profiling_are_timed_by_the_host) {
    const std::vector plain(2, opencl::queue{queue().device(), {.profiling = false}});
    on_every_policy(plain, [&](auto p) {
        EXPECT_EQ(p.get_resources(), plain);
        p.submit_and_wait(marker);
    });
    auto_tune_policy p{plain};
    for (int i = 0; i < 4; ++i) {
        p.submit_and_wait(marker);
    }
    int repeated = 0;
    std::size_t last = 0;
    for (int i = 0; i < 50; ++i) {
        const auto chosen = p.select(marker);
        repeated += chosen.index() == last ? 1 : 0;
        last = chosen.index();
        submit_and_wait(chosen, marker);
    }
    EXPECT_GE(repeated, 5) << "without times the two would alternate";
}

TEST_F(OpenclPromise, queues_without_profiling_are_excluded_if_exact_times_are_required) {
    const opencl::queue plain{queue().device(), {.profiling = false}};
    auto_tune_policy p{{plain, queue()}, never_resample, exact_times::required};
    EXPECT_EQ(p.get_resources(), (std::vector{queue()}));
    const std::vector<any_resource> any{plain, arena{1}, queue()};
    earliest_finish_policy mixed{any, never_resample, exact_times::required};
    EXPECT_EQ(mixed.get_resources(), (std::vector{any[1], any[2]}));
    EXPECT_THROW((auto_tune_policy{{plain, plain}, 0.0, exact_times::required}),
                 unsatisfied_reporting);
}

}  // namespace
}  // namespace pointsman::test
