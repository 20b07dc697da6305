// SPDX-License-Identifier: Apache-2.0
// Transfers of host values to and from devices that have their own memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy.hpp"
#include "pointsman/algorithm/fill.hpp"
#include "pointsman/algorithm/opencl/launch.hpp"

namespace pointsman::test {
namespace {

using detail::device_values;
using detail::host_values;

constexpr std::size_t worth_staging = detail::worth_staged_read_bytes / sizeof(float);
constexpr std::size_t worth_staging_both_ways = detail::worth_staged_write_bytes / sizeof(float);
#ifdef __SANITIZE_THREAD__  // cannot see into oneTBB, whose threads copy larger arrays
constexpr std::size_t staged_sizes[] = {1, 1000, worth_staging - 1};
#else
constexpr std::size_t staged_sizes[] = {1, 1000, worth_staging - 1, worth_staging,
                                        worth_staging_both_ways + 1};
#endif

/// Adds 1 to values on the device.
template <class It>
void increment(const opencl::queue& queue, const device_values<It>& values, std::size_t count) {
    const std::string text =
        "kernel void increment(global float* x, ulong at, ulong n) {\n"
        "    if (get_global_id(0) < n) x[at + get_global_id(0)] += 1;\n}\n";
    const cl_ulong n = count;
    const std::size_t group = detail::group_size(queue);
    detail::launch(queue, text, "increment", (count + group - 1) / group,
                   {values.memory(), values.offset(), n});
}

class DeviceValues : public EveryExecutionPolicy {};

TEST_F(DeviceValues, are_copied_to_the_device_and_back) {
    on_every_device([](const auto& policy) {
        const opencl::queue queue = policy.queue();
        for (const std::size_t size : staged_sizes) {
            std::vector<float> x(size);
            std::iota(x.begin(), x.end(), 0.0F);
            auto expected = x;
            std::ranges::for_each(expected, [](float& value) { value += 1; });
            using values = device_values<std::vector<float>::iterator>;
            values on_device{queue, x.begin(), size, values::use::input, host_values::copied};
            std::ranges::fill(x, -1.0F);  // the copy on the device does not change
            increment(queue, on_device, size);
            on_device.fetch();
            EXPECT_TRUE(x == expected) << size << " values";
        }
    });
}

TEST_F(DeviceValues, are_copied_from_and_to_containers_that_are_not_contiguous) {
    on_every_device([](const auto& policy) {
        const opencl::queue queue = policy.queue();
        std::deque<float> x(1000, 5.0F);
        using values = device_values<std::deque<float>::iterator>;
        values on_device{queue, x.begin(), x.size(), values::use::input, host_values::copied};
        increment(queue, on_device, x.size());
        on_device.fetch();
        EXPECT_TRUE(std::ranges::all_of(x, [](float value) { return value == 6.0F; }));
    });
}

TEST_F(DeviceValues, are_transferred_to_and_from_any_offset_in_a_buffer) {
    on_every_device([](const auto& policy) {
        const opencl::queue queue = policy.queue();
        for (const std::size_t size : staged_sizes) {
            std::vector<float> x(size);
            std::iota(x.begin(), x.end(), 0.0F);
            const opencl::buffer<float> there{queue, size + 5};
            const detail::bytes_on_device bytes{there.handle(), 3 * sizeof(float),
                                                size * sizeof(float)};
            for (const host_values of_host : {host_values::in_place, host_values::copied}) {
                fill(policy, begin(there), end(there), 9.0F);
                detail::write_to_device(queue, x.data(), bytes, of_host);
                std::vector<float> all(size + 5);
                copy(policy, begin(there), end(there), all.begin());
                std::vector<float> expected(size + 5, 9.0F);
                std::ranges::copy(x, expected.begin() + 3);
                EXPECT_TRUE(all == expected) << size << " values to the device";
                std::vector<float> back(size);
                detail::read_from_device(queue, bytes, back.data(), of_host);
                EXPECT_TRUE(back == x) << size << " values from the device";
            }
        }
    });
}

TEST_F(DeviceValues, are_copied_from_the_host_to_a_buffer_and_back) {
    on_every_device([](const auto& policy) {
        std::vector<float> x(1000);
        std::iota(x.begin(), x.end(), 0.0F);
        const opencl::buffer<float> there{policy.queue(), 1005};
        EXPECT_EQ(copy(policy, x.begin(), x.end(), begin(there) + 5), end(there));
        EXPECT_THROW(copy(policy, x.begin(), x.end(), begin(there) + 6), invalid_option);
        std::vector<float> back(1000);
        EXPECT_EQ(copy(policy, begin(there) + 5, end(there), back.begin()), back.end());
        EXPECT_EQ(back, x);
    });
}

TEST_F(DeviceValues, reuse_device_memory_of_earlier_values) {
    on_every_device([](const auto& policy) {
        const opencl::queue queue = policy.queue();
        if (queue.is_out_of_order()) {
            return;  // such a queue reuses memory only when all its commands are complete
        }
        std::vector<float> x(1000);
        const auto memory_of_copy = [&] {
            using values = device_values<float*>;
            return values{queue, x.data(), x.size(), values::use::output, host_values::copied}
                .memory()();
        };
        const cl_mem first = memory_of_copy();
        EXPECT_EQ(memory_of_copy(), first);
    });
}

}  // namespace
}  // namespace pointsman::test
