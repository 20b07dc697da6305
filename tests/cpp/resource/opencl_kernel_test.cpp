// SPDX-License-Identifier: Apache-2.0
// A kernel skips arguments that are set already, and sets them again whenever they may have changed.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using opencl::kernel_argument;
using opencl::object_id;
using opencl::detail::remembered_argument;

remembered_argument remembered(const kernel_argument& argument) {
    remembered_argument made;
    made.set(argument);
    return made;
}

TEST(RememberedArgument, matches_nothing_at_first_and_after_forget) {
    remembered_argument argument;
    EXPECT_FALSE(argument.is(0));
    EXPECT_FALSE(argument.is(kernel_argument{0, nullptr}));
    argument.set(7);
    EXPECT_TRUE(argument.is(7));
    argument.forget();
    EXPECT_FALSE(argument.is(7));
}

TEST(RememberedArgument, matches_a_number_with_the_same_bytes) {
    const auto argument = remembered(1);
    EXPECT_TRUE(argument.is(1));
    EXPECT_FALSE(argument.is(2));
    EXPECT_FALSE(argument.is(std::int64_t{1})) << "a different size";
    EXPECT_FALSE(remembered(0.0F).is(-0.0F));
}

TEST(RememberedArgument, does_not_match_a_large_struct) {
    const std::array<float, 5> values{};
    EXPECT_FALSE(remembered(values).is(values));
}

TEST(RememberedArgument, does_not_match_a_handle_that_may_be_reused) {
    const cl::Buffer buffer;  // another buffer may get the same handle
    const kernel_argument handle{buffer};
    EXPECT_FALSE(remembered(handle).is(handle));
    const kernel_argument bytes{sizeof(cl_mem), &buffer()};
    EXPECT_FALSE(remembered(bytes).is(bytes));
}

TEST(RememberedArgument, matches_an_object_by_its_id_and_not_by_its_handle) {
    const cl::Buffer buffer;
    const auto id = object_id::next();
    const auto argument = remembered({buffer, id});
    EXPECT_TRUE(argument.is({buffer, id}));
    EXPECT_FALSE(argument.is({buffer, object_id::next()}));
    EXPECT_FALSE(argument.is(buffer));
}

TEST(RememberedArgument, matches_the_last_value_only) {
    const cl::Buffer buffer;
    const auto id = object_id::next();
    auto argument = remembered(std::int64_t{0});
    argument.set({buffer, id});
    EXPECT_FALSE(argument.is(std::int64_t{0}));
    argument.set(std::int64_t{0});
    EXPECT_FALSE(argument.is({buffer, id}));
}

/// `values[0] = a * 10 + b`
class OpenclKernel : public OpenclTest {
  protected:
    void SetUp() override {
        OpenclTest::SetUp();
        if (IsSkipped()) {
            return;
        }
        values_ = filled(queue(), 1, 0.0F);
    }

    opencl::kernel kernel() {
        return queue()
            .build("kernel void join(global float* v, float a, float b) { v[0] = a * 10 + b; }")
            .kernel("join");
    }
    float joined(const opencl::kernel& join, float a, float b) {
        queue().enqueue(join, 1, kernel_argument{values_, id_}, a, b);
        return read(queue(), values_).front();
    }

    cl::Buffer values_;
    object_id id_ = object_id::next();
};

TEST_F(OpenclKernel, is_given_the_arguments_that_changed_since_the_last_call) {
    const auto join = kernel();
    EXPECT_EQ(joined(join, 1, 2), 12);
    EXPECT_EQ(joined(join, 1, 2), 12);
    EXPECT_EQ(joined(join, 1, 3), 13);
    EXPECT_EQ(joined(join, 4, 3), 43);
    values_ = filled(queue(), 1, 0.0F);
    id_ = object_id::next();
    EXPECT_EQ(joined(join, 4, 3), 43);
}

TEST_F(OpenclKernel, is_given_arguments_again_after_other_code_has_set_one) {
    const auto join = kernel();
    EXPECT_EQ(joined(join, 1, 2), 12);
    cl::Kernel handle = join.handle();
    for (int i = 0; i < 2; ++i) {
        handle.setArg(1, 9.0F);
        EXPECT_EQ(joined(join, 1, 2), 12) << "also through a handle taken earlier";
    }
}

TEST_F(OpenclKernel, from_an_external_handle_is_always_given_its_arguments) {
    cl::Kernel handle = kernel().handle();
    const opencl::kernel join{handle};
    EXPECT_EQ(joined(join, 1, 2), 12);
    handle.setArg(2, 9.0F);
    EXPECT_EQ(joined(join, 1, 2), 12);
}

TEST_F(OpenclKernel, has_the_right_arguments_after_a_refused_call) {
    const auto join = kernel();
    EXPECT_EQ(joined(join, 1, 2), 12);
    EXPECT_THROW(queue().enqueue(join, 1, values_, 5.0F, 6.0), opencl::error);
    EXPECT_EQ(joined(join, 1, 2), 12);
    EXPECT_EQ(joined(join, 5, 6), 56);
}

TEST_F(OpenclKernel, keeps_no_object_alive) {
    const auto join = kernel();
    std::atomic<bool> is_gone{false};
    values_.setDestructorCallback(
        [](cl_mem, void* flag) {
            static_cast<std::atomic<bool>*>(flag)->store(true);
            static_cast<std::atomic<bool>*>(flag)->notify_all();
        },
        &is_gone);
    EXPECT_EQ(joined(join, 1, 2), 12);
    values_ = {};
    is_gone.wait(false);
}

TEST_F(OpenclKernel, reports_its_local_parameters_and_its_context) {
    const auto join = kernel();
    EXPECT_EQ(join.context(), queue().context()());
    EXPECT_FALSE(join.parameters()[0].is_local);
    const auto local = queue().build("kernel void l(local int* x) { x[0] = 1; }").kernel("l");
    EXPECT_TRUE(local.parameters()[0].is_local);
}

}  // namespace
}  // namespace pointsman::test
