// SPDX-License-Identifier: Apache-2.0
// Arrays on a device.
#include "fairlead/resource/opencl/buffer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "opencl_fixture.hpp"

namespace fairlead::test {
namespace {

using OpenclBuffer = OpenclTest;

TEST_F(OpenclBuffer, takes_memory_that_is_there_with_as_many_values_as_fit) {
    std::vector<std::int32_t> values{1, 2, 3};
    const cl::Buffer memory{queue().context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof(std::int32_t) * values.size(), values.data()};
    opencl::buffer<std::int32_t> taken{memory};
    EXPECT_EQ(taken.handle()(), memory());
    ASSERT_EQ(taken.size(), 3U);
    taken.read(queue(), values);
    EXPECT_THAT(values, testing::ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace fairlead::test
