// SPDX-License-Identifier: Apache-2.0
// The labels that tell devices and their parts apart, also on machines with several alike.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "opencl_fixture.hpp"

namespace pointsman::test {
namespace {

using opencl::detail::named_device;
using opencl::detail::pci_address;

constexpr pci_address slot_3{0, 0x3b, 0, 0};
constexpr pci_address slot_5{0, 0x5e, 0, 0};

std::vector<std::string> labels(const std::vector<named_device>& listed) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        found.push_back(opencl::detail::label_in(listed, i));
    }
    return found;
}

using texts = std::vector<std::string>;

TEST(OpenclLabel, is_the_name_of_a_device_that_is_the_only_one_of_its_name) {
    EXPECT_EQ(labels({{"H200", slot_3}, {"PoCL", std::nullopt}}), (texts{"H200", "PoCL"}));
}

TEST(OpenclLabel, has_the_address_where_another_device_has_the_same_name) {
    EXPECT_EQ(labels({{"H200", slot_3}, {"PoCL", std::nullopt}, {"H200", slot_5}}),
              (texts{"H200 (PCI 0000:3b:00.0)", "PoCL", "H200 (PCI 0000:5e:00.0)"}));
}

TEST(OpenclLabel, has_the_number_among_those_of_the_name_without_addresses) {
    EXPECT_EQ(labels({{"H200", std::nullopt}, {"PoCL", std::nullopt}, {"H200", std::nullopt}}),
              (texts{"H200 (number 1 of 2)", "PoCL", "H200 (number 2 of 2)"}));
}

TEST(OpenclLabel, has_the_number_where_parts_of_a_gpu_share_its_address) {
    EXPECT_EQ(labels({{"MIG", slot_3}, {"MIG", slot_3}, {"MIG", slot_5}}),
              (texts{"MIG (number 1 of 3)", "MIG (number 2 of 3)", "MIG (PCI 0000:5e:00.0)"}));
}

TEST(OpenclPciAddress, is_written_as_other_tools_write_it) {
    EXPECT_EQ(opencl::detail::text_of(pci_address{0x10, 0xaf, 0x1f, 7}), "0010:af:1f.7");
}

using OpenclLabels = OpenclTest;

TEST_F(OpenclLabels, of_all_devices_are_different_and_begin_with_the_name) {
    std::set<std::string> different;
    for (const auto& device : opencl::devices()) {
        EXPECT_EQ(device.label().rfind(device.name(), 0), 0U) << device.label();
        EXPECT_TRUE(different.insert(device.label()).second) << device.label();
    }
}

}  // namespace
}  // namespace pointsman::test
