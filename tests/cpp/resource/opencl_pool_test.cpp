// SPDX-License-Identifier: Apache-2.0
// The buffer pool of a queue: memory is reused after it is returned, and never lent twice at once.
// link: -Wl,--wrap=clCreateBuffer
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <utility>
#include <vector>

#include "opencl_fixture.hpp"
#include "pointsman/dynamic_selection.hpp"
#include "pointsman/recovery/recovering_policy.hpp"
#include "support/forked_child.hpp"
#include "support/on_threads.hpp"
#include "support/sanitized.hpp"

namespace pointsman::test {

/// How many of the next clCreateBuffer calls fail for lack of memory.
inline std::atomic<int> failing_allocations{0};
/// The code with which they fail.
inline std::atomic<cl_int> failing_code{CL_MEM_OBJECT_ALLOCATION_FAILURE};

}  // namespace pointsman::test

// The linker requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
decltype(clCreateBuffer) __real_clCreateBuffer;

cl_mem __wrap_clCreateBuffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host,
                             cl_int* result) {
    if (pointsman::test::failing_allocations > 0) {
        --pointsman::test::failing_allocations;
        *result = pointsman::test::failing_code;
        return nullptr;
    }
    return __real_clCreateBuffer(context, flags, size, host, result);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace pointsman::test {
namespace {

class OpenclPool : public OpenclTest {
  protected:
    static constexpr float factor = 2.0F;

    void TearDown() override {
        failing_allocations = 0;
        failing_code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }

    /// Returns an empty optional if the device runs commands in order.
    std::optional<opencl::queue> out_of_order() {
        try {
            return opencl::queue{queue().device(), {.out_of_order = true}};
        } catch (const opencl::error&) {
            return std::nullopt;
        }
    }

    /// Takes memory and returns it at once.
    static cl_mem memory_of(const opencl::queue& q, std::size_t size_bytes) {
        return q.take_buffer(size_bytes).handle()();
    }
};

TEST_F(OpenclPool, reuses_returned_memory) {
    const cl_mem first = memory_of(queue(), 100'000);
    const auto again = queue().take_buffer(99'000);
    EXPECT_EQ(again.handle()(), first);
    EXPECT_NE(memory_of(queue(), 100'000), first) << "it is in use";
}

TEST_F(OpenclPool, hands_out_memory_that_is_at_most_a_quarter_too_large) {
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{1024}, std::size_t{1025}, std::size_t{65'535},
          std::size_t{65'537}, std::size_t{1'000'000}}) {
        const auto memory = queue().take_buffer(size);
        EXPECT_EQ(memory.handle().getInfo<CL_MEM_SIZE>(), memory.size_bytes());
        EXPECT_GE(memory.size_bytes(), size);
        EXPECT_LE(memory.size_bytes() * 4, std::max<std::size_t>(size, 1024) * 5);
    }
}

TEST_F(OpenclPool, has_other_memory_for_other_sizes) {
    const cl_mem small = memory_of(queue(), 10'000);
    const cl_mem large = memory_of(queue(), 100'000);
    EXPECT_NE(small, large);
    EXPECT_EQ(memory_of(queue(), 10'000), small);
    EXPECT_EQ(memory_of(queue(), 100'000), large);
}

TEST_F(OpenclPool, follows_the_handle_when_it_is_moved) {
    std::optional<opencl::pooled_buffer> from{queue().take_buffer(5000)};
    const cl_mem memory = from->handle()();
    opencl::pooled_buffer to{std::move(*from)};
    from.reset();
    EXPECT_NE(memory_of(queue(), 5000), memory) << "it was moved, not returned";
    to = opencl::pooled_buffer{};
    EXPECT_EQ(to.size_bytes(), 0U);
    EXPECT_EQ(memory_of(queue(), 5000), memory);
}

TEST_F(OpenclPool, gets_memory_back_from_a_scope_that_throws) {
    cl_mem memory = nullptr;
    try {
        const auto taken = queue().take_buffer(5000);
        memory = taken.handle()();
        throw std::runtime_error{"something else failed"};
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(memory_of(queue(), 5000), memory);
}

TEST_F(OpenclPool, reuses_memory_at_once_behind_commands_that_run_in_order) {
    gate held{queue()};
    const auto scale = queue().build(scale_source).kernel("scale");
    cl_mem memory = nullptr;
    {
        const auto taken = queue().take_buffer(16 * sizeof(float));
        memory = taken.handle()();
        const std::array<opencl::kernel_argument, 2> arguments{taken.handle(), factor};
        queue().enqueue_with(arguments, scale, 16, {held.event()});
    }
    EXPECT_EQ(memory_of(queue(), 16 * sizeof(float)), memory);
    held.open();
    queue().wait();
}

TEST_F(OpenclPool, waits_for_the_commands_of_a_queue_out_of_order) {
    const auto made = out_of_order();
    if (!made) {
        GTEST_SKIP() << "the device runs commands in order";
    }
    const opencl::queue& q = *made;
    gate held{q};
    const auto scale = q.build(scale_source).kernel("scale");
    cl_mem in_use = nullptr;
    try {
        const auto taken = q.take_buffer(16 * sizeof(float));
        in_use = taken.handle()();
        const std::array<opencl::kernel_argument, 2> arguments{taken.handle(), factor};
        q.enqueue_with(arguments, scale, 16, {held.event()});
        throw std::runtime_error{"nobody waits for the command"};
    } catch (const std::runtime_error&) {
    }
    EXPECT_NE(memory_of(q, 16 * sizeof(float)), in_use);
    held.open();
    q.wait();
    const auto one = q.take_buffer(16 * sizeof(float));
    const auto other = q.take_buffer(16 * sizeof(float));
    EXPECT_TRUE(one.handle()() == in_use || other.handle()() == in_use);
}

TEST_F(OpenclPool, releases_memory_of_failed_commands_out_of_order) {
#ifdef POINTSMAN_TEST_SANITIZED
    GTEST_SKIP() << "PoCL loses memory to a failed command and takes its locks in any order";
#endif
    const auto made = out_of_order();
    if (!made) {
        GTEST_SKIP() << "the device runs commands in order";
    }
    const opencl::queue& q = *made;
    gate held{q};
    opencl::detail::buffer_pool pool{q.handle(), 10'240};
    auto memory = pool.take(4096);
    const cl::Buffer in_use = memory;
    const opencl::event done = held.enqueue_marker(q);
    pool.give_back(std::move(memory), 4096);
    held.fail(CL_OUT_OF_RESOURCES);
    EXPECT_THROW(done.wait(), opencl::error);
    EXPECT_NE(pool.take(4096)(), in_use());
    EXPECT_EQ(pool.kept_bytes(), 0U);
}

TEST_F(OpenclPool, never_lends_the_same_memory_to_two_threads) {
    std::atomic<int> overlaps{0};
    std::atomic<cl_uint> next{0};
    on_threads(7, [&](int) {
        for (int round = 0; round < 200; ++round) {
            const auto taken = queue().take_buffer(4096);
            const cl::CommandQueue& commands = queue().handle();
            const cl_uint mine = next++;
            commands.enqueueWriteBuffer(taken.handle(), CL_TRUE, 0, sizeof mine, &mine);
            cl_uint found = 0;
            commands.enqueueReadBuffer(taken.handle(), CL_TRUE, 0, sizeof found, &found);
            overlaps += found == mine ? 0 : 1;
        }
    });
    EXPECT_EQ(overlaps, 0);
}

TEST_F(OpenclPool, keeps_the_most_recently_used_memory_up_to_its_bound) {
    opencl::detail::buffer_pool pool{queue().handle(), 10'240};
    const auto take = [&] { return pool.take(pool.granted_bytes(4096)); };
    std::vector<opencl::detail::owned<cl::Buffer>> taken;
    std::vector<cl_mem> memory;
    for (int i = 0; i < 4; ++i) {
        taken.push_back(take());
        memory.push_back(taken.back()());
    }
    for (auto& each : taken) {
        pool.give_back(std::move(each), 4096);
        EXPECT_LE(pool.kept_bytes(), 10'240U);
    }
    EXPECT_EQ(pool.kept_bytes(), 8192U);
    const auto last = take();
    const auto before = take();
    EXPECT_EQ(last(), memory[3]);
    EXPECT_EQ(before(), memory[2]);
    pool.give_back(pool.take(16'384), 16'384);
    EXPECT_EQ(pool.kept_bytes(), 0U) << "it is larger than the bound";
}

TEST_F(OpenclPool, releases_everything_on_clear) {
    opencl::detail::buffer_pool pool{queue().handle(), 10'240};
    pool.give_back(pool.take(4096), 4096);
    EXPECT_EQ(pool.clear(), 4096U);
    EXPECT_EQ(pool.kept_bytes(), 0U);
    EXPECT_EQ(pool.clear(), 0U);
}

TEST_F(OpenclPool, reports_a_lack_of_memory_as_no_failure_of_the_device) {
    for (const cl_int code :
         {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY}) {
        queue().release_kept_buffers();
        failing_code = code;
        failing_allocations = 1;
        try {
            static_cast<void>(queue().take_buffer(8192));
            FAIL() << "nothing was thrown";
        } catch (const opencl::error& lack) {
            EXPECT_EQ(lack.code(), code);
            EXPECT_TRUE(lack.is_out_of_memory());
            EXPECT_FALSE(lack.is_resource_failure());
        }
    }
    const opencl::error of_kernel{CL_OUT_OF_RESOURCES, "the kernel"};
    EXPECT_FALSE(of_kernel.is_out_of_memory());
    EXPECT_TRUE(of_kernel.is_resource_failure());
}

TEST_F(OpenclPool, that_has_no_memory_lets_work_go_elsewhere_and_its_queue_stays_healthy) {
    const opencl::queue other{queue().device()};
    recovering_policy p{round_robin_policy{std::vector{queue(), other}},
                        {.failure = on_failure::fallback()},
                        {.failures = 1}};
    failing_code = CL_OUT_OF_RESOURCES;
    for (int i = 0; i < 4; ++i) {
        queue().release_kept_buffers();
        other.release_kept_buffers();
        failing_allocations = 1;
        auto submission =
            p.submit([](const opencl::queue& q) { return q.take_buffer(8192).size_bytes(); });
        EXPECT_EQ(submission.attempts().size(), 2U);
    }
    for (const health_report& each : p.health()) {
        EXPECT_EQ(each.state, health_state::healthy);
    }
}

TEST_F(OpenclPool, that_has_no_memory_lets_work_wait_for_other_work_of_its_queue) {
    recovering_policy p{dynamic_load_policy{std::vector{queue()}},
                        {.failure = on_failure::retry(1)},
                        {.failures = 1}};
    gate held{queue()};
    auto first = p.submit([&](const opencl::queue& q) { return held.enqueue_marker(q); });
    std::atomic<int> calls{0};
    queue().release_kept_buffers();
    failing_allocations = 1;
    auto submission = p.submit([&](const opencl::queue& q) {
        ++calls;
        const auto taken = q.take_buffer(8192);
        return q.mark();
    });
    EXPECT_EQ(calls, 1);
    EXPECT_FALSE(submission.is_ready());
    held.open();
    first.wait();
    submission.wait();
    EXPECT_EQ(calls, 2);
    ASSERT_EQ(submission.attempts().size(), 2U);
    EXPECT_TRUE(is_out_of_memory(submission.attempts()[0].error));
    EXPECT_EQ(p.health()[0].state, health_state::healthy);
}

TEST_F(OpenclPool, releases_everything_before_it_reports_a_lack_of_memory) {
    opencl::detail::buffer_pool pool{queue().handle(), 10'240};
    pool.give_back(pool.take(4096), 4096);
    failing_allocations = 1;
    EXPECT_NE(pool.take(8192)(), nullptr);
    EXPECT_EQ(pool.kept_bytes(), 0U);
    failing_allocations = 1;
    EXPECT_THROW(static_cast<void>(queue().take_buffer(8192)), opencl::error) << "nothing was kept";
}

void notify_when_freed(const opencl::pooled_buffer& taken, std::binary_semaphore& freed) {
    clSetMemObjectDestructorCallback(
        taken.handle()(),
        [](cl_mem, void* semaphore) { static_cast<std::binary_semaphore*>(semaphore)->release(); },
        &freed);
}

TEST_F(OpenclPool, frees_its_memory_with_the_queue) {
    std::optional<opencl::queue> q{queue().device()};
    std::optional<opencl::pooled_buffer> taken{q->take_buffer(4096)};
    std::binary_semaphore freed{0};
    notify_when_freed(*taken, freed);
    q.reset();
    EXPECT_FALSE(freed.try_acquire()) << "memory in use keeps the queue";
    taken.reset();
    EXPECT_TRUE(freed.try_acquire_for(std::chrono::seconds{30}));
}

TEST_F(OpenclPool, frees_kept_memory_on_request) {
    std::optional<opencl::pooled_buffer> taken{queue().take_buffer(4096)};
    std::binary_semaphore freed{0};
    notify_when_freed(*taken, freed);
    taken.reset();
    EXPECT_FALSE(freed.try_acquire()) << "returned memory is kept";
    queue().release_kept_buffers();
    EXPECT_TRUE(freed.try_acquire_for(std::chrono::seconds{30}));
}

TEST_F(OpenclPool, gives_nothing_to_a_forked_child_and_takes_nothing_back) {
    std::optional<opencl::pooled_buffer> taken{queue().take_buffer(4096)};
    const cl_mem memory = taken->handle()();
    EXPECT_TRUE(is_refused_in_a_child([&] { return queue().take_buffer(4096); }));
    EXPECT_TRUE(holds_in_a_child([&] {
        taken.reset();
        return true;
    }));
    EXPECT_NE(memory_of(queue(), 4096), memory);
    taken.reset();
    EXPECT_EQ(memory_of(queue(), 4096), memory);
}

}  // namespace
}  // namespace pointsman::test
