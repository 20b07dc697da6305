// SPDX-License-Identifier: Apache-2.0
// Sources and kernel names with a NUL character are refused: drivers would stop reading there.
#include <gtest/gtest.h>

#include <string>

#include "opencl_fixture.hpp"

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

}  // namespace
}  // namespace pointsman::test
