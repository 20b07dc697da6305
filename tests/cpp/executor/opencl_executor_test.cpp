// SPDX-License-Identifier: Apache-2.0
// opencl_executor runs kernels with each kind of shape and of blocking.
#include "pointsman/executor/opencl_executor.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/property/prefer.hpp"
#include "pointsman/property/query.hpp"
#include "pointsman/property/require.hpp"
#include "resource/opencl_fixture.hpp"
#include "support/counting_allocator.hpp"
#include "support/waiting_thread.hpp"

namespace pointsman::test {
namespace {

constexpr auto source =
    "kernel void add(global int* x, int a) {"
    "    x[get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * "
    "get_global_id(2))] += a * (int)get_local_size(0);"
    "}";

}  // namespace

class OpenclExecutor : public OpenclTest {
  protected:
    /// Adds to `size` numbers on `executor` and returns their sum.
    int sum_after(const auto& executor, const opencl::work_size& shape, int size) {
        std::vector<int> numbers(static_cast<std::size_t>(size));
        const auto bytes = numbers.size() * sizeof(int);
        const opencl::queue& q = executor.context();
        const cl::Buffer buffer{q.context(), CL_MEM_READ_WRITE, bytes};
        q.handle().enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());
        const opencl::kernel_call add{q.build(source).kernel("add"), buffer, 1};
        if constexpr (std::is_void_v<decltype(bulk_execute(executor, add, shape))>) {
            bulk_execute(executor, add, shape);
        } else {
            bulk_execute(executor, add, shape).wait();
        }
        q.handle().enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());
        return std::accumulate(numbers.begin(), numbers.end(), 0);
    }
};

TEST_F(OpenclExecutor, runs_a_kernel_over_a_number_of_work_items) {
    const opencl_executor<> executor{queue()};
    const opencl::work_size groups_of_one{cl::NDRange{1000}, cl::NDRange{1}};
    EXPECT_EQ(sum_after(executor, groups_of_one, 1000), 1000);
}

TEST_F(OpenclExecutor, takes_local_sizes_in_up_to_three_dimensions) {
    const opencl_executor<> executor{queue()};
    EXPECT_EQ(sum_after(executor, {cl::NDRange{64}, cl::NDRange{16}}, 64), 64 * 16);
    EXPECT_EQ(sum_after(executor, {cl::NDRange{8, 4}, cl::NDRange{2, 2}}, 32), 32 * 2);
    EXPECT_EQ(sum_after(executor, {cl::NDRange{4, 4, 4}, cl::NDRange{4, 2, 1}}, 64), 64 * 4);
}

TEST_F(OpenclExecutor, runs_one_item_for_execute_and_none_for_an_empty_shape) {
    const opencl_executor<> executor{queue()};
    std::vector<std::size_t> sizes;
    const auto note = [&](const opencl::queue&, const opencl::work_size& size) {
        sizes.push_back(size.extents()[0]);
        return opencl::event{};
    };
    execute(executor, note);
    bulk_execute(executor, note, 0);
    bulk_execute(executor, note, {cl::NDRange{3, 0}});
    EXPECT_EQ(sizes, std::vector<std::size_t>{1});
}

TEST_F(OpenclExecutor, returns_before_the_kernel_completes_if_it_never_or_possibly_blocks) {
    const auto check = [&](const auto& executor) {
        gate closed{queue()};
        const auto marker = [&](const opencl::queue& q, const opencl::work_size&) {
            return closed.enqueue_marker(q);
        };
        const auto done = bulk_execute(executor, marker, 10);
        static_assert(std::is_same_v<decltype(done), const opencl::event>);
        EXPECT_FALSE(done.is_ready());
        closed.open();
        executor.context().wait();
        EXPECT_TRUE(done.is_ready());
    };
    check(require(opencl_executor<>{queue()}, blocking.never));
    check(require(opencl_executor<>{queue()}, blocking.possibly));
}

TEST_F(OpenclExecutor, gives_the_same_results_with_every_blocking) {
    const opencl_executor<> executor{queue()};
    const opencl::work_size size{cl::NDRange{256}, cl::NDRange{1}};
    EXPECT_EQ(sum_after(require(executor, blocking.always), size, 256), 256);
    EXPECT_EQ(sum_after(require(executor, blocking.never), size, 256), 256);
    EXPECT_EQ(sum_after(require(executor, blocking.possibly), size, 256), 256);
}

TEST_F(OpenclExecutor, throws_when_the_command_fails) {
    gate closed{queue()};
    const opencl_executor<> executor{opencl::queue{queue().device()}};
    const auto failing = [&](const opencl::queue& q, const opencl::work_size&) {
        const opencl::event marker = closed.enqueue_marker(q);
        closed.fail(CL_OUT_OF_RESOURCES);
        return marker;
    };
    EXPECT_THROW(execute(executor, failing), opencl::error);
}

TEST_F(OpenclExecutor, keeps_its_queue_and_its_allocator) {
    allocation_counts counts;
    const opencl_executor<> executor{queue()};
    const auto other = require(executor, blocking.never, allocator(counting_allocator<>{counts}));
    EXPECT_EQ(other.context(), queue());
    EXPECT_EQ(query(other, allocator).counts(), &counts);
    EXPECT_EQ(query(other, blocking), blocking.never);
    EXPECT_EQ(require(require(executor, blocking.never), blocking.always), executor);
    EXPECT_EQ(query(executor, occupancy), queue().device().compute_units());
}

TEST_F(OpenclExecutor, keeps_its_queue_waiting_while_it_is_tracked) {
    const opencl_executor<> executor{queue()};
    EXPECT_EQ(query(executor, outstanding_work), outstanding_work.untracked);
    expect_wait_for_last_copy(require(executor, blocking.never, outstanding_work.tracked));
    const auto tracked = require(executor, outstanding_work.tracked, blocking.never);
    EXPECT_EQ(query(tracked, outstanding_work), outstanding_work.tracked);
    EXPECT_EQ(require(tracked, outstanding_work.untracked, blocking.always), executor);
}

TEST_F(OpenclExecutor, shares_its_queue_with_others_made_without_one) {
    EXPECT_EQ(opencl_executor<>{}, opencl_executor<>{});
    EXPECT_EQ(opencl_executor<>{}.context(), prefer(opencl_executor<>{}, blocking.never).context());
    EXPECT_NE(opencl_executor<>{}, opencl_executor<>{queue()});
}

}  // namespace pointsman::test
