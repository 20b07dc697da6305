// SPDX-License-Identifier: Apache-2.0
// Algorithms take temporary device memory from the queue's pool: counts the calls of clCreateBuffer.
// link: -Wl,--wrap=clCreateBuffer
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "every_execution_policy.hpp"
#include "pointsman/algorithm/copy_if.hpp"
#include "pointsman/algorithm/histogram.hpp"
#include "pointsman/algorithm/inclusive_scan.hpp"
#include "pointsman/algorithm/min_element.hpp"
#include "pointsman/algorithm/reduce.hpp"
#include "pointsman/algorithm/sort.hpp"
#include "pointsman/algorithm/unique.hpp"

namespace pointsman::test {

inline std::atomic<long> created_buffers{0};

}  // namespace pointsman::test

// The linker requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
decltype(clCreateBuffer) __real_clCreateBuffer;

cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host,
                             cl_int* result) {
    ++pointsman::test::created_buffers;
    return __real_clCreateBuffer(context, flags, size, host, result);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace pointsman::test {
namespace {

POINTSMAN_FUNCTION(bool, is_odd, (int32_t x), { return x % 2 != 0; });

class DeviceScratch : public EveryExecutionPolicy {};

TEST_F(DeviceScratch, is_allocated_once_and_reused_by_later_calls) {
    on_every_device([](const auto& policy) {
        const opencl::queue queue = policy.queue();
        if (queue.is_out_of_order()) {
            return;  // such a queue reuses memory only when all its commands are complete
        }
        std::vector<std::int32_t> values(100'000);
        // Sorted, so that sort() leaves the same values for the second call.
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<std::int32_t>(i / 100);
        }
        const opencl::buffer<std::int32_t> x{queue, values};
        const opencl::buffer<std::int32_t> out{queue, values.size()};
        const auto call_all = [&] {
            static_cast<void>(reduce(policy, begin(x), end(x), 0));
            static_cast<void>(min_element(policy, begin(x), end(x)));
            inclusive_scan(policy, begin(x), end(x), begin(out));
            copy_if(policy, begin(x), end(x), begin(out), is_odd);
            histogram(policy, begin(x), end(x), 10, 0, 1000, begin(out));
            unique(policy, begin(out), end(out));
            sort(policy, begin(x), end(x));
        };
        call_all();
        const long before = created_buffers;
        call_all();
        EXPECT_EQ(created_buffers, before);
    });
}

}  // namespace
}  // namespace pointsman::test
