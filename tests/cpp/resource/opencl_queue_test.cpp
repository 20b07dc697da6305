// SPDX-License-Identifier: Apache-2.0
// The command queue as a resource: identity, programs, kernels and their arguments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <barrier>
#include <set>
#include <span>
#include <thread>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using OpenclQueue = OpenclTest;

/// Returns the message that `action` throws.
template <class Error, class Action>
std::string message_of(Action&& action) {
    try {
        action();
    } catch (const Error& caught) {
        return caught.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

TEST_F(OpenclQueue, runs_a_kernel_with_its_arguments) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 1000, 1.5F);
    queue().enqueue(scale, 1000, values, 2.0F).wait();
    EXPECT_EQ(read(queue(), values), std::vector<float>(1000, 3.0F));
}

TEST_F(OpenclQueue, runs_algorithms_with_work_items_or_work_groups_as_requested) {
    const opencl::device device = queue().device();
    using opencl::item_work;
    EXPECT_TRUE((opencl::queue{device, {.items = item_work::alone}}.items_work_alone()));
    EXPECT_FALSE((opencl::queue{device, {.items = item_work::in_groups}}.items_work_alone()));
    const bool has_local_memory = device.handle().getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_LOCAL;
    EXPECT_EQ(opencl::queue{device}.items_work_alone(), !has_local_memory);
}

TEST_F(OpenclQueue, runs_a_kernel_in_work_groups_with_local_memory) {
    const auto kernel = queue()
                            .build(
                                "kernel void sum(global float* v, local float* part) {"
                                "    part[get_local_id(0)] = v[get_global_id(0)];"
                                "    barrier(CLK_LOCAL_MEM_FENCE);"
                                "    v[get_global_id(0)] = part[0] + part[1];"
                                "}")
                            .kernel("sum");
    const auto values = filled(queue(), 8, 1.0F);
    queue().enqueue(kernel, {cl::NDRange{8}, cl::NDRange{2}}, values, cl::Local(8)).wait();
    EXPECT_EQ(read(queue(), values), std::vector<float>(8, 2.0F));
}

TEST_F(OpenclQueue, equals_its_copies_and_no_other_queue) {
    const auto copy = queue();
    EXPECT_EQ(copy, queue());
    EXPECT_EQ(opencl::queue{queue().handle()}, queue());
    EXPECT_NE(opencl::queue{}, queue());
}

TEST_F(OpenclQueue, has_profiling_and_keeps_order_unless_told_otherwise) {
    EXPECT_TRUE(queue().has_profiling());
    EXPECT_FALSE(queue().is_out_of_order());
    EXPECT_FALSE((opencl::queue{queue().device(), {.profiling = false}}.has_profiling()));
}

TEST_F(OpenclQueue, shares_the_context_of_its_device) {
    EXPECT_EQ(opencl::queue{queue().device()}.context()(), queue().context()());
}

TEST_F(OpenclQueue, build_shows_the_compiler_log_with_the_source_lines_it_names) {
    const std::string source = "kernel void broken() { undeclared_name; }";
    try {
        static_cast<void>(queue().build(source));
        FAIL() << "the program was built";
    } catch (const opencl::build_error& caught) {
        EXPECT_EQ(caught.code(), CL_BUILD_PROGRAM_FAILURE);
        EXPECT_NE(caught.log().find("undeclared_name"), std::string::npos) << caught.log();
        const auto shown = opencl::detail::with_source_lines(caught.log(), source);
        EXPECT_NE(std::string{caught.what()}.find(shown), std::string::npos) << caught.what();
    }
}

TEST_F(OpenclQueue, builds_a_program_once_for_all_threads_and_queues) {
    std::barrier start{4};
    std::mutex mutex;
    std::set<cl_program> programs;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                const opencl::queue own{queue().device()};
                start.arrive_and_wait();
                const auto built = own.build("kernel void unshared() {}", "-DONCE");
                std::lock_guard lock{mutex};
                programs.insert(built.handle()());
            });
        }
    }
    EXPECT_EQ(programs.size(), 1U);
    EXPECT_FALSE(programs.contains(queue().build("kernel void unshared() {}").handle()()))
        << "other options make another program";
}

TEST_F(OpenclQueue, builds_and_runs_a_kernel_without_parameters) {
    const auto nothing = queue().build("kernel void nothing() {}").kernel("nothing");
    EXPECT_NO_THROW(queue().enqueue(nothing, 1).wait());
}

TEST_F(OpenclQueue, lists_the_existing_kernels_when_asked_for_another) {
    const auto message = message_of<opencl::error>(
        [&] { static_cast<void>(queue().build(scale_source).kernel("scael")); });
    EXPECT_NE(message.find("'scael'"), std::string::npos) << message;
    EXPECT_NE(message.find("'scale'"), std::string::npos) << message;
}

TEST_F(OpenclQueue, refuses_the_wrong_number_of_arguments) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto message =
        message_of<invalid_option>([&] { queue().enqueue(scale, 1, filled(queue(), 1, 1.0F)); });
    EXPECT_EQ(message, "kernel 'scale' takes 2 arguments, given 1");
}

TEST_F(OpenclQueue, names_an_argument_of_the_wrong_size) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto message = message_of<opencl::error>(
        [&] { queue().enqueue(scale, 1, filled(queue(), 1, 1.0F), 2.0); });
    EXPECT_NE(message.find("argument 1 ('factor', float) of kernel 'scale'"), std::string::npos)
        << message;
}

TEST_F(OpenclQueue, passes_on_an_exception_of_the_command) {
    const auto broken = [](const cl::CommandQueue&, cl::Event*) {
        throw std::out_of_range{"mine"};
    };
    EXPECT_THROW(queue().enqueue(broken), std::out_of_range);
}

class OpenclQueueThreads : public OpenclTest, public testing::WithParamInterface<int> {};

TEST_P(OpenclQueueThreads, may_share_one_kernel) {
    const auto scale = queue().build(scale_source).kernel("scale");
    std::barrier start{GetParam()};
    std::vector<std::jthread> threads;
    for (int i = 0; i < GetParam(); ++i) {
        threads.emplace_back([&] {
            const auto twice = filled(queue(), 16, 1.0F);
            const auto thrice = filled(queue(), 16, 1.0F);
            start.arrive_and_wait();
            for (int n = 0; n < 10; ++n) {
                queue().enqueue(scale, 16, twice, 2.0F);
                queue().enqueue(scale, 16, thrice, 3.0F);
            }
            EXPECT_EQ(read(queue(), twice), std::vector<float>(16, 1024.0F));
            EXPECT_EQ(read(queue(), thrice), std::vector<float>(16, 59049.0F));
        });
    }
}

INSTANTIATE_TEST_SUITE_P(, OpenclQueueThreads, testing::Values(1, 2, 7, 16),
                         [](const auto& p) { return std::to_string(p.param) + "_threads"; });

TEST_F(OpenclQueue, marks_the_end_of_all_its_commands) {
    cl::UserEvent gate{queue().context()};
    const std::vector<cl::Event> after{gate};
    ASSERT_EQ(queue().handle().enqueueMarkerWithWaitList(&after), CL_SUCCESS);
    const opencl::event last = queue().mark();
    EXPECT_FALSE(last.is_ready());
    gate.setStatus(CL_COMPLETE);
    last.wait();
    EXPECT_TRUE(last.is_ready());
}

TEST_F(OpenclQueue, names_the_kernel_and_its_sizes_when_a_launch_is_refused) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 4, 1.0F);
    const std::size_t too_many = 2 * queue().device().max_work_group_size();
    const opencl::work_size size{cl::NDRange{too_many}, cl::NDRange{too_many}};
    const std::string extent = std::to_string(too_many);
    EXPECT_THAT(
        message_of<opencl::error>([&] { queue().enqueue(scale, size, values, 2.0F); }),
        testing::HasSubstr("kernel 'scale' with " + extent + " work items in groups of " + extent));
}

TEST_F(OpenclQueue, starts_a_kernel_after_the_events_it_is_given) {
    const opencl::queue other{queue().device()};
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 4, 1.0F);
    gate held{queue()};
    const auto first = held.enqueue_marker(queue());
    const float factor = 3.0F;
    const std::array<opencl::kernel_argument, 2> arguments{values, factor};
    const auto done = other.enqueue_with(arguments, scale, 4, {first.handle()});
    EXPECT_FALSE(done.is_ready());
    held.open();
    done.wait();
    EXPECT_EQ(read(other, values), std::vector<float>(4, 3.0F));
}

TEST_F(OpenclQueue, starts_a_kernel_without_an_event_in_the_order_of_commands) {
    const auto scale = queue().build(scale_source).kernel("scale");
    const auto values = filled(queue(), 4, 1.0F);
    const float factor = 3.0F;
    const std::array<opencl::kernel_argument, 2> arguments{values, factor};
    for (int start = 0; start < 3; ++start) {  // a driver may compile the kernel at the first one
        queue().start_with(arguments, scale, 4);
    }
    EXPECT_EQ(read(queue(), values), std::vector<float>(4, 27.0F));
    EXPECT_THAT(message_of<invalid_option>(
                    [&] { queue().start_with(std::span{arguments}.first(1), scale, 4); }),
                testing::HasSubstr("kernel 'scale' takes 2 arguments, given 1"));
    const std::size_t too_many = 2 * queue().device().max_work_group_size();
    const opencl::work_size size{cl::NDRange{too_many}, cl::NDRange{too_many}};
    EXPECT_THAT(message_of<opencl::error>([&] { queue().start_with(arguments, scale, size); }),
                testing::HasSubstr("kernel 'scale' with " + std::to_string(too_many)));
}

TEST_F(OpenclQueue, has_a_queue_for_transfers_that_do_not_wait_for_its_commands) {
    const opencl::queue transfers = queue().transfers();
    EXPECT_EQ(transfers, queue().transfers());
    EXPECT_NE(transfers, queue());
    EXPECT_FALSE(transfers.is_out_of_order());
    EXPECT_EQ(transfers.device(), queue().device());
    const auto values = filled(queue(), 4, 1.0F);
    gate held{queue()};
    const auto first = held.enqueue_marker(queue());
    EXPECT_EQ(read(transfers, values), std::vector<float>(4, 1.0F));
    EXPECT_FALSE(first.is_ready());
    held.open();
    first.wait();
}

}  // namespace
}  // namespace pointsman::test
