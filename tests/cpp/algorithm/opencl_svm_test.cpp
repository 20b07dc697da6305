// SPDX-License-Identifier: Apache-2.0
// svm_allocator: algorithms use containers in shared virtual memory without a copy.
// link: -Wl,--wrap=clGetDeviceInfo,--wrap=clEnqueueReadBuffer,--wrap=clEnqueueWriteBuffer
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/transform.hpp"
#include "pointsman/resource/opencl/svm_allocator.hpp"
#include "resource/opencl_fixture.hpp"
#include "support/forked_child.hpp"
#include "support/message_of.hpp"
#include "support/on_threads.hpp"

namespace pointsman::test {

/// While true, devices report that they have no shared virtual memory.
inline std::atomic<bool> without_svm{false};
/// The number of calls of clEnqueueReadBuffer and clEnqueueWriteBuffer.
inline std::atomic<long> transfers{0};

}  // namespace pointsman::test

// The linker requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
decltype(clGetDeviceInfo) __real_clGetDeviceInfo;
decltype(clEnqueueReadBuffer) __real_clEnqueueReadBuffer;
decltype(clEnqueueWriteBuffer) __real_clEnqueueWriteBuffer;

cl_int __wrap_clGetDeviceInfo(cl_device_id device, cl_device_info name, std::size_t size,
                              void* value, std::size_t* needed) {
    if (name == CL_DEVICE_SVM_CAPABILITIES && pointsman::test::without_svm) {
        return CL_INVALID_VALUE;  // like drivers of OpenCL 1.2
    }
    return __real_clGetDeviceInfo(device, name, size, value, needed);
}

cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  std::size_t offset, std::size_t size, void* to,
                                  cl_uint wait_count, const cl_event* wait, cl_event* event) {
    ++pointsman::test::transfers;
    return __real_clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, wait_count, wait,
                                      event);
}

cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   std::size_t offset, std::size_t size, const void* from,
                                   cl_uint wait_count, const cl_event* wait, cl_event* event) {
    ++pointsman::test::transfers;
    return __real_clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, wait_count,
                                       wait, event);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(float, twice, (float x), { return 2 * x; });
POINTSMAN_FUNCTION(float, negated, (float x), { return -x; });

using allocator = opencl::svm_allocator<float>;
using shared_vector = std::vector<float, allocator>;
using detail::device_values;
using detail::host_values;

/// Skips its tests where the device has no shared virtual memory.
class OpenclSvm : public OpenclTest {
  protected:
    void SetUp() override {
        OpenclTest::SetUp();
        if (IsSkipped()) {
            return;
        }
        try {
            const allocator probe{queue()};
        } catch (const invalid_option&) {
            GTEST_SKIP() << "the device has no shared virtual memory";
        }
    }
    void TearDown() override { without_svm = false; }

    [[nodiscard]] execution::device_policy<> policy() {
        return execution::make_device_policy(queue());
    }
    [[nodiscard]] shared_vector rising(std::size_t size) {
        shared_vector values(size, allocator{queue()});
        std::iota(values.begin(), values.end(), 0.0F);
        return values;
    }
    /// Returns the block that contains the values.
    [[nodiscard]] std::shared_ptr<opencl::detail::svm_block> block_of(const shared_vector& values) {
        return opencl::detail::svm_table::instance().find(
            values.data(), values.size() * sizeof(float), queue().context());
    }
};

TEST_F(OpenclSvm, holds_input_and_output_of_device_algorithms) {
    const shared_vector x = rising(10'000);
    shared_vector y(x.size(), allocator{queue()});
    EXPECT_EQ(transform(policy(), x.begin(), x.end(), y.begin(), twice), y.end());
    for (std::size_t i = 0; i < y.size(); ++i) {
        ASSERT_EQ(y[i], 2 * x[i]);
    }
    sort(policy(), y.begin(), y.end(), greater{});
    EXPECT_TRUE(std::ranges::is_sorted(y, std::greater{}));
    std::vector<float> ordinary(100);
    copy(policy(), x.begin() + 50, x.begin() + 150, ordinary.begin());
    EXPECT_TRUE(std::equal(x.begin() + 50, x.begin() + 150, ordinary.begin(), ordinary.end()));
}

TEST_F(OpenclSvm, serves_input_and_output_from_one_container) {
    shared_vector x = rising(1000);
    transform(policy(), x.begin(), x.begin() + 500, x.begin() + 500, twice);
    transform(policy(), x.begin(), x.begin() + 500, x.begin(), twice);
    for (std::size_t i = 0; i < 500; ++i) {
        ASSERT_EQ(x[i], 2 * static_cast<float>(i));
        ASSERT_EQ(x[500 + i], x[i]);
    }
}

TEST_F(OpenclSvm, is_not_copied_even_by_devices_with_their_own_memory) {
    shared_vector x = rising(1000);
    const long before = transfers;
    using values = device_values<shared_vector::iterator>;
    {
        values on_device{queue(), x.begin() + 10, 100, values::use::input, host_values::copied};
        EXPECT_EQ(on_device.memory()(), block_of(x)->buffer()());
        EXPECT_EQ(on_device.offset(), 10U);
        queue().handle().enqueueFillBuffer(on_device.memory(), 7.0F, 10 * sizeof(float),
                                           on_device.size_bytes());
        on_device.fetch();
    }
    EXPECT_EQ(transfers, before);
    EXPECT_EQ(x[9], 9.0F);
    EXPECT_EQ(x[10], 7.0F);
    EXPECT_EQ(x[109], 7.0F);
    EXPECT_EQ(x[110], 110.0F);
}

TEST_F(OpenclSvm, is_found_by_ranges_that_lie_entirely_in_it) {
    const shared_vector x = rising(1000);
    const auto& table = opencl::detail::svm_table::instance();
    const auto find = [&](const float* first, std::size_t count) {
        return table.find(first, count * sizeof(float), queue().context());
    };
    ASSERT_NE(block_of(x), nullptr);
    EXPECT_EQ(find(x.data() + 999, 1), block_of(x));
    EXPECT_EQ(find(x.data() + 999, 2), nullptr);
    const std::vector<float> ordinary(10);
    EXPECT_EQ(find(ordinary.data(), 10), nullptr);
    const auto elsewhere = opencl::share_context({queue().device()});
    EXPECT_EQ(table.find(x.data(), 4, opencl::queue{elsewhere[0]}.context()), nullptr);
}

TEST_F(OpenclSvm, is_readable_by_the_host_after_the_last_of_several_threads) {
    shared_vector x = rising(7 * 1000);
    on_threads(7, [&](int thread) {
        const opencl::queue own{queue().device()};
        const auto first = x.begin() + thread * 1000;
        for (int round = 0; round < 20; ++round) {
            transform(execution::make_device_policy(own), first, first + 1000, first, negated);
        }
    });
    for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(x[i], static_cast<float>(i));
    }
}

TEST_F(OpenclSvm, is_freed_with_the_container) {
    std::optional<shared_vector> x{rising(1000)};
    const std::weak_ptr<opencl::detail::svm_block> block = block_of(*x);
    shared_vector moved = std::move(*x);
    x.reset();
    EXPECT_FALSE(block.expired());
    moved.resize(5000, 3.0F);
    EXPECT_TRUE(block.expired()) << "the container moved to a larger block";
    EXPECT_EQ(moved[999], 999.0F);
    EXPECT_EQ(moved[4999], 3.0F);
}

TEST_F(OpenclSvm, is_equal_to_allocators_of_the_same_queue) {
    const opencl::queue other{queue().device()};
    EXPECT_EQ(allocator{queue()}, opencl::svm_allocator<double>{queue()});
    EXPECT_NE(allocator{queue()}, allocator{other});
}

TEST_F(OpenclSvm, refuses_devices_without_shared_memory_and_says_what_to_pass_instead) {
    without_svm = true;
    EXPECT_THAT(message_of<std::invalid_argument>([&] { allocator{queue()}; }),
                testing::AllOf(testing::HasSubstr(queue().device().name()),
                               testing::HasSubstr("pass ordinary memory")));
}

TEST_F(OpenclSvm, refuses_sizes_beyond_the_devices_limit) {
    allocator from{queue()};
    EXPECT_THROW(static_cast<void>(from.allocate(std::numeric_limits<std::size_t>::max() / 8)),
                 opencl::error);
    EXPECT_THROW(static_cast<void>(from.allocate(std::numeric_limits<std::size_t>::max() / 2)),
                 std::bad_array_new_length);
}

TEST_F(OpenclSvm, is_freed_by_the_parent_and_not_by_a_forked_child) {
    std::optional<shared_vector> x{rising(1000)};
    EXPECT_TRUE(is_refused_in_a_child([&] { return allocator{queue()}.allocate(1) != nullptr; }));
    EXPECT_TRUE(holds_in_a_child([&] {
        x.reset();
        return true;
    }));
    EXPECT_EQ((*x)[999], 999.0F);
}

}  // namespace
}  // namespace pointsman::test
