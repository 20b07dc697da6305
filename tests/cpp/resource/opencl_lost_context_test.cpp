// SPDX-License-Identifier: Apache-2.0
// A queue whose context may be lost: what the library made in it is made again, and the rest is named.
// link: -Wl,--wrap=clBuildProgram,--wrap=clCreateBuffer
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "pointsman/resource/any_resource.hpp"
#include "support/eventually.hpp"
#include "support/printer_lost.hpp"

namespace pointsman::test {

/// How many programs were built.
inline std::atomic<int> builds{0};
/// A context in which no buffer can be made any more.
inline std::atomic<cl_context> dead{nullptr};

}  // namespace pointsman::test

// The linker requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
decltype(clBuildProgram) __real_clBuildProgram;
decltype(clCreateBuffer) __real_clCreateBuffer;

cl_int __wrap_clBuildProgram(cl_program program, cl_uint number, const cl_device_id* devices,
                             const char* options, void (*notify)(cl_program, void*), void* data) {
    ++pointsman::test::builds;
    return __real_clBuildProgram(program, number, devices, options, notify, data);
}

cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                             cl_int* result) {
    if (context == pointsman::test::dead) {
        *result = CL_INVALID_CONTEXT;
        return nullptr;
    }
    return __real_clCreateBuffer(context, flags, size, host, result);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace pointsman::test {
namespace {

using testing::HasSubstr;

constexpr health_settings quarantine_for_a_moment{.failures = 1,
                                                  .back_off = std::chrono::microseconds{1}};

class OpenclLostContext : public OpenclTest {
  protected:
    void SetUp() override {
        OpenclTest::SetUp();
        if (!IsSkipped()) {
            // A context of its own, so that the numbers of programs and bytes are those of this test.
            queue() = opencl::queue{opencl::share_context({queue().device()}).front()};
        }
    }

    /// Work that uses a program and memory that the queue keeps.
    static opencl::event fill(const opencl::queue& q) {
        const auto memory = q.take_buffer(4096);
        const auto seven = q.build("kernel void seven(global int* x) { x[get_global_id(0)] = 7; }");
        return q.enqueue(seven.kernel("seven"), 1024, memory.handle());
    }
    static std::exception_ptr error_of(cl_int code) {
        return std::make_exception_ptr(opencl::error{code, "the kernel"});
    }
};

TEST_F(OpenclLostContext, has_its_program_built_again_by_the_probe) {
    recovering_policy p{round_robin_policy{std::vector{queue()}}, {}, quarantine_for_a_moment};
    for (const cl_int code : {CL_DEVICE_NOT_AVAILABLE, CL_OUT_OF_RESOURCES, CL_INVALID_CONTEXT,
                              CL_INVALID_COMMAND_QUEUE}) {
        p.submit(fill).wait();
        const int before = builds;
        p.submit(fill).wait();
        EXPECT_EQ(builds, before);
        EXPECT_THROW(p.submit([&](const opencl::queue&) { throw opencl::error{code, "lost"}; }),
                     opencl::error);
        const auto report = p.health()[0];
        EXPECT_THAT(report.lost, HasSubstr("1 program is built again and 4096 bytes of kept "
                                           "memory allocated again"));
        EXPECT_THAT(report.lost, HasSubstr("buffers and programs that you made"));
        EXPECT_TRUE(eventually([&] {
            try {
                p.submit(fill).wait();
                return true;
            } catch (const no_healthy_resource&) {  // before the back-off has elapsed
                return false;
            }
        }));
        EXPECT_EQ(builds, before + 1);
        EXPECT_EQ(p.health()[0].state, health_state::healthy);
    }
}

TEST_F(OpenclLostContext, is_told_by_the_error_that_no_queue_is_left) {
    recovering_policy p{round_robin_policy{std::vector{queue()}}, {}, quarantine_at_once};
    p.submit(fill).wait();
    EXPECT_THROW(
        p.submit([](const opencl::queue&) { throw opencl::error{CL_INVALID_CONTEXT, "lost"}; }),
        opencl::error);
    EXPECT_THAT([&] { p.submit(fill); },
                testing::ThrowsMessage<no_healthy_resource>(
                    HasSubstr("(-34); the context of the queue may be lost: 1 program "
                              "is built again")));
}

TEST_F(OpenclLostContext, keeps_everything_after_other_failures) {
    const int before = builds;
    fill(queue()).wait();
    EXPECT_EQ(queue().after_failure(error_of(CL_MEM_OBJECT_ALLOCATION_FAILURE)), "");
    EXPECT_EQ(queue().after_failure(error_of(CL_INVALID_KERNEL_ARGS)), "");
    EXPECT_EQ(queue().after_failure(std::make_exception_ptr(time_limit_exceeded{"1 s", true})), "");
    fill(queue()).wait();
    EXPECT_EQ(builds, before + 1);
}

TEST_F(OpenclLostContext, leaves_the_programs_of_other_contexts) {
    const opencl::queue other{opencl::share_context({queue().device()}).front()};
    fill(other).wait();
    fill(queue()).wait();
    const int before = builds;
    EXPECT_THAT(queue().after_failure(error_of(CL_INVALID_CONTEXT)), HasSubstr("1 program is"));
    fill(other).wait();
    EXPECT_EQ(builds, before);
}

TEST_F(OpenclLostContext, has_another_queue_for_transfers) {
    const opencl::queue old = queue().transfers();
    EXPECT_EQ(queue().transfers(), old);
    queue().forget_context();
    EXPECT_NE(queue().transfers(), old);
}

TEST_F(OpenclLostContext, is_replaced_for_new_queues_of_the_device) {
    const auto device = opencl::devices().front();
    const opencl::queue old{device};
    dead = old.context()();
    EXPECT_EQ(opencl::queue{device}.context()(), dead);  // nobody has noticed
    EXPECT_NE(old.after_failure(error_of(CL_INVALID_CONTEXT)), "");
    const opencl::queue fresh{device};
    EXPECT_NE(fresh.context()(), dead);
    fill(fresh).wait();
    EXPECT_EQ(opencl::queue{device}.context()(), fresh.context()());
    EXPECT_NE(old.after_failure(error_of(CL_INVALID_CONTEXT)), "");  // late news of the old one
    EXPECT_EQ(opencl::queue{device}.context()(), fresh.context()());
    dead = nullptr;
}

TEST_F(OpenclLostContext, stays_for_new_queues_while_commands_run_in_it) {
    const auto device = opencl::devices().front();
    const opencl::queue alive{device};
    EXPECT_NE(alive.after_failure(error_of(CL_OUT_OF_RESOURCES)), "");
    EXPECT_EQ(opencl::queue{device}.context()(), alive.context()());
}

TEST_F(OpenclLostContext, is_forgotten_through_any_resource) {
    fill(queue()).wait();
    const any_resource any{queue()};
    EXPECT_THAT(after_failure(any, error_of(CL_INVALID_CONTEXT)), HasSubstr("1 program is"));
    EXPECT_EQ(after_failure(any_resource{arena{1}}, error_of(CL_INVALID_CONTEXT)), "");
    EXPECT_EQ(after_failure(7, error_of(CL_INVALID_CONTEXT)), "");
}

}  // namespace
}  // namespace pointsman::test
