// SPDX-License-Identifier: Apache-2.0
// Sources and kernel names with a NUL character are refused: drivers would stop reading there. Kernel objects
// are used again, by one call at a time.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/resource/opencl/buffer.hpp"

namespace pointsman::test {
namespace {

using OpenclProgram = OpenclTest;

const std::string small_source{"kernel void f(global int* x) { x[0] = 1; }"};
const std::string tail{"\0d", 2};

TEST_F(OpenclProgram, has_no_kernel_whose_name_contains_a_nul) {
    const auto program = queue().build(small_source);
    EXPECT_EQ(program.kernel("f").name(), "f");
    try {
        (void)program.kernel("f" + tail);
        FAIL() << "stopped reading the name";
    } catch (const opencl::error& refused) {
        EXPECT_EQ(refused.code(), CL_INVALID_KERNEL_NAME);
        EXPECT_NE(std::string{refused.what()}.find("'f\\0...'"), std::string::npos)
            << refused.what();
    }
}

TEST_F(OpenclProgram, is_not_built_from_sources_with_a_nul) {
    EXPECT_THROW((void)queue().build(small_source + tail), invalid_option);
    EXPECT_THROW((void)queue().build(small_source, "-DA=1" + tail), invalid_option);
}

cl_kernel lent(const opencl::program& program) {
    cl_kernel found = nullptr;
    program.with_kernel("f", [&](const opencl::kernel& kernel) { found = kernel.handle()(); });
    return found;
}

TEST_F(OpenclProgram, lends_a_kernel_again_after_its_use) {
    const auto program = queue().build(small_source + " // lent");
    const cl_kernel first = lent(program);
    program.with_kernel("f", [&](const opencl::kernel& kernel) {
        EXPECT_EQ(kernel.handle()(), first);
        EXPECT_NE(lent(program), first) << "is in use";
    });
    EXPECT_THROW(program.with_kernel("g", [](const opencl::kernel&) {}), opencl::error);
    EXPECT_THROW(
        program.with_kernel("f", [](const opencl::kernel&) { throw std::runtime_error{"no"}; }),
        std::runtime_error);
    EXPECT_NE(lent(program), nullptr);
}

TEST_F(OpenclProgram, lends_each_thread_a_kernel_of_its_own) {
    const auto add =
        queue().build("kernel void f(global int* x, int value) { x[get_global_id(0)] += value; }");
    std::vector<std::thread> threads;
    for (int t = 1; t <= 4; ++t) {
        threads.emplace_back([&, t] {
            const opencl::queue own{queue().device()};
            const std::vector<std::int32_t> zeros(64);
            const opencl::buffer<std::int32_t> x{own, zeros};
            for (int i = 0; i < 50; ++i) {
                add.with_kernel("f", [&](const opencl::kernel& kernel) {
                    own.enqueue(kernel, 64, x.handle(), t);
                });
            }
            std::vector<std::int32_t> got(64);
            x.read(own, got);
            EXPECT_EQ(got, std::vector<std::int32_t>(64, 50 * t));
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
}

}  // namespace
}  // namespace pointsman::test
