// SPDX-License-Identifier: Apache-2.0
// Sub-devices: creating them, sharing buffers between them, and releasing them safely.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// Skips its tests if no device can be split into two.
class OpenclParts : public OpenclTest {
  protected:
    void SetUp() override {
        OpenclTest::SetUp();
        for (const auto& device : opencl::devices()) {
            if (!whole_ && device.compute_units() > 1 && splits(device)) {
                whole_ = device;
            }
        }
        if (!whole_) {
            GTEST_SKIP() << "no OpenCL device that can be split";
        }
    }

    const opencl::device& whole() { return *whole_; }

    static void run_kernel(const opencl::queue& q, const cl::Buffer& values) {
        const auto scale = q.build(scale_source).kernel("scale");
        q.enqueue(scale, 16, values, 2.0F);
    }

  private:
    static bool splits(const opencl::device& device) {
        return !device.handle().getInfo<CL_DEVICE_PARTITION_PROPERTIES>().empty() &&
               device.handle().getInfo<CL_DEVICE_PARTITION_PROPERTIES>().front() != 0;
    }

    std::optional<opencl::device> whole_;
};

cl_uint references_to(const cl::Device& device) {
    return device.getInfo<CL_DEVICE_REFERENCE_COUNT>();
}

TEST_F(OpenclParts, have_the_compute_units_that_were_asked_for) {
    const auto parts = whole().split({1, whole().compute_units() - 1});
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].compute_units(), 1U);
    EXPECT_EQ(parts[1].compute_units(), whole().compute_units() - 1);
    EXPECT_NE(parts[0], parts[1]);
    EXPECT_NE(parts[0], whole());
}

TEST_F(OpenclParts, are_as_many_as_fit_when_all_are_equal) {
    const auto parts = whole().split_equally(1);
    EXPECT_EQ(parts.size(), whole().compute_units());
    for (const auto& part : parts) {
        EXPECT_EQ(part.compute_units(), 1U);
    }
}

TEST_F(OpenclParts, have_their_number_in_their_label) {
    const auto parts = whole().split({1, 1});
    EXPECT_EQ(parts[0].label(), whole().label() + " (part 1 of 2)");
    EXPECT_EQ(parts[1].label(), whole().label() + " (part 2 of 2)");
    EXPECT_EQ(parts[1].pci_address(), whole().pci_address());
}

TEST_F(OpenclParts, keep_their_label_in_another_group_and_as_parts_of_parts) {
    const auto shared = opencl::share_context({whole().split({1, 1})[1]});
    EXPECT_EQ(shared[0].label(), whole().label() + " (part 2 of 2)");
    const auto inner = whole().split_equally(2)[0].split_equally(1);
    ASSERT_EQ(inner.size(), 2U);
    EXPECT_EQ(inner[1].label(), whole().split_equally(2)[0].label() + " (part 2 of 2)");
}

TEST_F(OpenclParts, of_a_program_that_split_the_device_itself_have_no_number) {
    std::vector<cl::Device> own;
    const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl::Device{whole().handle()}.createSubDevices(halves, &own);
    EXPECT_EQ(opencl::device{own[0]}.label(), whole().label() + " (a part)");
}

TEST_F(OpenclParts, share_the_contents_of_buffers) {
    const auto parts = whole().split({1, 1});
    const opencl::queue a{parts[0]};
    const opencl::queue b{parts[1]};
    EXPECT_EQ(a.context()(), b.context()());
    const auto values = filled(a, 16, 1.5F);
    run_kernel(a, values);
    a.wait();
    run_kernel(b, values);
    b.wait();
    EXPECT_EQ(read(a, values), std::vector<float>(16, 6.0F));
}

TEST_F(OpenclParts, are_known_to_their_queues) {
    const auto part = whole().split({1}).front();
    EXPECT_EQ(opencl::queue{part}.device(), part);
    EXPECT_EQ(opencl::queue{part}.context()(), opencl::queue{part}.context()());
}

TEST_F(OpenclParts, are_refused_with_counts_that_the_device_does_not_have) {
    const auto says = [&](const std::string& counts) {
        return ThrowsMessage<invalid_option>(
            AllOf(HasSubstr(whole().name()), HasSubstr(counts), HasSubstr("add up to")));
    };
    const unsigned units = whole().compute_units();
    EXPECT_THAT([&] { (void)whole().split({1, units}); }, says("1 + " + std::to_string(units)));
    EXPECT_THAT([&] { (void)whole().split({1, 0}); }, says("1 + 0"));
    EXPECT_THAT([&] { (void)whole().split({}); }, says("no count"));
    EXPECT_THAT([&] { (void)whole().split({~0U, ~0U}); }, says("4294967295"));
    EXPECT_THAT([&] { (void)whole().split_equally(0); }, says("parts of 0"));
    EXPECT_THAT([&] { (void)whole().split_equally(units + 1); }, says(std::to_string(units + 1)));
}

TEST_F(OpenclParts, cannot_be_split_beyond_their_compute_units) {
    const auto part = whole().split({1}).front();
    EXPECT_THAT([&] { (void)part.split({1, 1}); }, testing::Throws<invalid_option>());
}

TEST_F(OpenclParts, live_as_long_as_a_queue_on_them) {
    const opencl::queue q{whole().split({1}).front()};
    EXPECT_EQ(q.device().compute_units(), 1U);
    const auto values = filled(q, 16, 1.0F);
    run_kernel(q, values);
    EXPECT_EQ(read(q, values), std::vector<float>(16, 2.0F));
}

TEST_F(OpenclParts, live_as_long_as_an_event_of_a_command_on_them) {
    std::optional<gate> held;
    opencl::event last;
    {
        const opencl::queue q{whole().split({1}).front()};
        held.emplace(q);
        last = held->enqueue_marker(q);
    }
    EXPECT_FALSE(last.is_ready());
    held->open();
    last.wait();
    EXPECT_TRUE(last.outcome().succeeded);
}

TEST_F(OpenclParts, are_released_when_nothing_refers_to_them) {
    std::optional<cl::Device> handle;
    {
        const opencl::queue q{whole().split({1}).front()};
        handle = q.device().handle();
        const auto values = filled(q, 16, 1.0F);
        run_kernel(q, values);
        q.wait();
        EXPECT_GT(references_to(*handle), 1U);
    }
    while (references_to(*handle) > 1) {
        opencl::detail::device_group::collect();
        std::this_thread::yield();
    }
}

TEST_F(OpenclParts, are_created_and_released_a_hundred_times) {
    for (int round = 0; round < 100; ++round) {
        std::vector<opencl::queue> queues;
        for (const auto& part : whole().split({1, 1})) {
            queues.emplace_back(part);
        }
        const auto values = filled(queues.front(), 16, 1.0F);
        if (round == 0) {
            run_kernel(queues.front(), values);  // takes a hundred times as long to compile
        }
        for (const auto& q : queues) {
            q.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
                commands.enqueueFillBuffer(values, 1.0F, 0, 16 * sizeof(float), nullptr, done);
            });
            q.wait();
        }
    }
}

using OpenclSharedContext = OpenclTest;

TEST_F(OpenclSharedContext, is_that_of_every_queue_on_its_devices) {
    const auto shared = opencl::share_context({queue().device()});
    ASSERT_EQ(shared, std::vector{queue().device()});
    const opencl::queue a{shared.front()};
    const opencl::queue b{a.device()};
    EXPECT_EQ(a.context()(), b.context()());
    EXPECT_NE(a.context()(), queue().context()());
}

TEST_F(OpenclSharedContext, is_that_of_all_gpus_of_a_driver_when_asked_for) {
    std::vector<opencl::device> gpus;
    for (const auto& device : opencl::devices()) {
        if (device.platform() == queue().device().platform()) {
            gpus.push_back(device);
        }
    }
    if (gpus.size() < 2) {
        GTEST_SKIP() << "no driver with two devices";
    }
    const auto shared = opencl::share_context(gpus);
    const opencl::queue first{shared[0]};
    const opencl::queue second{shared[1]};
    const auto values = filled(first, 16, 3.0F);
    EXPECT_EQ(read(second, values), std::vector<float>(16, 3.0F));
}

TEST_F(OpenclSharedContext, needs_a_device) {
    EXPECT_THAT([] { (void)opencl::share_context({}); },
                ThrowsMessage<invalid_option>(HasSubstr("size 0")));
}

}  // namespace
}  // namespace pointsman::test
