// SPDX-License-Identifier: Apache-2.0
// Detects that two drivers offer the same hardware, by its UUID or PCI address.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::opencl::detail {

/// Domain, bus, device and function on the PCI bus.
using pci_address = std::array<cl_uint, 4>;

/// The identifiers that a driver reports for the hardware of a device.
struct device_identity {
    using uuid_bytes = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

    cl_platform_id platform = nullptr;
    std::optional<uuid_bytes> uuid;
    std::optional<pci_address> pci;

    /// Parts of one GPU share its PCI address but not its UUID, so the UUID decides if both drivers
    /// report it. One driver never lists a device twice.
    [[nodiscard]] bool is_same_as(const device_identity& other) const noexcept {
        if (platform == other.platform) {
            return false;
        }
        if (uuid && other.uuid) {
            return *uuid == *other.uuid;
        }
        return pci && other.pci && *pci == *other.pci;
    }
};

template <class Value>
[[nodiscard]] std::optional<Value> query(const cl::Device& device, cl_device_info info) noexcept {
    Value value{};
    if (clGetDeviceInfo(device(), info, sizeof value, &value, nullptr) != CL_SUCCESS) {
        return std::nullopt;
    }
    return value;
}

/// The address by NVIDIA's extension, which older drivers have instead of `cl_khr_pci_bus_info`.
[[nodiscard]] inline std::optional<pci_address> nvidia_address_of(const cl::Device& device) {
    constexpr cl_device_info bus_id = 0x4008;   // CL_DEVICE_PCI_BUS_ID_NV
    constexpr cl_device_info slot_id = 0x4009;  // CL_DEVICE_PCI_SLOT_ID_NV
    constexpr cl_device_info domain_id =
        0x400A;  // CL_DEVICE_PCI_DOMAIN_ID_NV, in newer drivers only
    const auto bus = query<cl_uint>(device, bus_id);
    const auto slot = query<cl_uint>(device, slot_id);  // the function in its last three bits
    if (!bus || !slot) {
        return std::nullopt;
    }
    return pci_address{query<cl_uint>(device, domain_id).value_or(0), *bus, *slot >> 3U,
                       *slot & 7U};
}

[[nodiscard]] inline std::optional<pci_address> address_of(const cl::Device& device,
                                                           const std::string& extensions) {
    if (extensions.find("cl_khr_pci_bus_info") != std::string::npos) {
        if (const auto pci =
                query<cl_device_pci_bus_info_khr>(device, CL_DEVICE_PCI_BUS_INFO_KHR)) {
            return pci_address{pci->pci_domain, pci->pci_bus, pci->pci_device, pci->pci_function};
        }
    }
    if (extensions.find("cl_nv_device_attribute_query") != std::string::npos) {
        return nvidia_address_of(device);
    }
    return std::nullopt;
}

[[nodiscard]] inline device_identity identity_of(const cl::Device& device) {
    device_identity identity{};
    identity.platform = cl::Platform{device.getInfo<CL_DEVICE_PLATFORM>()}();
    const auto extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    if (extensions.find("cl_khr_device_uuid") != std::string::npos) {
        identity.uuid = query<device_identity::uuid_bytes>(device, CL_DEVICE_UUID_KHR);
        if (identity.uuid && std::all_of(identity.uuid->begin(), identity.uuid->end(),
                                         [](cl_uchar byte) { return byte == 0; })) {
            identity.uuid.reset();  // the driver does not report one
        }
    }
    identity.pci = address_of(device, extensions);
    return identity;
}

}  // namespace pointsman::opencl::detail
