// SPDX-License-Identifier: Apache-2.0
// Which devices are listed, and when two entries are the same device.
#include <gtest/gtest.h>

#include <algorithm>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using opencl::detail::device_identity;

cl_platform_id platform(int number) {
    static int names[8];
    return reinterpret_cast<cl_platform_id>(&names[number]);
}

constexpr device_identity::uuid_bytes one{1};
constexpr device_identity::uuid_bytes other{2};
constexpr opencl::detail::pci_address slot{0, 3, 0, 0};

TEST(OpenclDeviceIdentity, is_shared_by_two_drivers_that_report_the_same_uuid) {
    const device_identity a{platform(1), one, std::nullopt};
    EXPECT_TRUE(a.is_same_as({platform(2), one, std::nullopt}));
    EXPECT_FALSE(a.is_same_as({platform(2), other, std::nullopt}));
}

TEST(OpenclDeviceIdentity, is_the_pci_address_if_a_driver_reports_no_uuid) {
    const device_identity a{platform(1), one, slot};
    EXPECT_TRUE(a.is_same_as({platform(2), std::nullopt, slot}));
}

TEST(OpenclDeviceIdentity, is_the_uuid_if_partitions_share_a_pci_address) {
    const device_identity part{platform(1), one, slot};
    EXPECT_FALSE(part.is_same_as({platform(2), other, slot}));
}

TEST(OpenclDeviceIdentity, is_not_shared_if_nothing_is_reported) {
    const device_identity a{platform(1), std::nullopt, std::nullopt};
    EXPECT_FALSE(a.is_same_as({platform(2), std::nullopt, std::nullopt}));
}

TEST(OpenclDeviceIdentity, is_not_shared_by_two_devices_of_one_driver) {
    const device_identity a{platform(1), one, slot};
    EXPECT_FALSE(a.is_same_as({platform(1), one, slot}));
}

TEST(OpenclErrorName, has_the_name_and_the_number) {
    EXPECT_EQ(opencl::error_name(CL_INVALID_VALUE), "CL_INVALID_VALUE (-30)");
    EXPECT_EQ(opencl::error_name(-1001), "CL_PLATFORM_NOT_FOUND_KHR (-1001)");
    EXPECT_EQ(opencl::error_name(-9999), "OpenCL error (-9999)");
}

using OpenclDevices = OpenclTest;

TEST_F(OpenclDevices, have_descriptions) {
    for (const auto& device : opencl::devices()) {
        EXPECT_FALSE(device.name().empty());
        EXPECT_FALSE(device.platform().empty());
        EXPECT_GT(device.compute_units(), 0U);
        EXPECT_GT(device.max_work_group_size(), 0U);
        EXPECT_GT(device.global_memory_bytes(), 0U);
    }
}

TEST_F(OpenclDevices, are_listed_gpus_first_and_cpus_last) {
    const auto found = opencl::devices();
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return opencl::detail::rank(a) < opencl::detail::rank(b);
    }));
}

TEST_F(OpenclDevices, each_have_a_queue_in_the_default_universe) {
    const auto found = opencl::devices();
    const auto queues = default_universe<opencl::queue>::get();
    ASSERT_EQ(queues.size(), found.size());
    for (std::size_t i = 0; i < queues.size(); ++i) {
        EXPECT_EQ(queues[i].device(), found[i]);
    }
}

}  // namespace
}  // namespace pointsman::test
