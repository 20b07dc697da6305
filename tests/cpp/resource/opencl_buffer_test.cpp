// SPDX-License-Identifier: Apache-2.0
// opencl::buffer over memory that other code allocated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/resource/opencl/buffer.hpp"
#include "support/message_of.hpp"

namespace pointsman::test {
namespace {

using OpenclBuffer = OpenclTest;

TEST_F(OpenclBuffer, has_the_first_values_of_external_memory) {
    const cl::Buffer memory = filled(queue(), 16, 3.0F);
    opencl::buffer<float> values{memory, 5};
    EXPECT_EQ(values.handle()(), memory());
    std::vector<float> got(5);
    values.read(queue(), got);
    EXPECT_EQ(got, std::vector<float>(5, 3.0F));
    values.write(queue(), std::vector<float>(5, 4.0F));
    EXPECT_EQ(read(queue(), memory)[4], 4.0F);
    EXPECT_EQ(read(queue(), memory)[5], 3.0F);
}

TEST_F(OpenclBuffer, refuses_memory_that_is_too_small) {
    const cl::Buffer memory = filled(queue(), 16, 3.0F);
    EXPECT_EQ((opencl::buffer<double>{memory, 8}.size()), 8U);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { opencl::buffer<double>{memory, 9}; }),
                testing::HasSubstr("64 bytes has no 9 values of 8 bytes: make it larger"));
}

}  // namespace
}  // namespace pointsman::test
