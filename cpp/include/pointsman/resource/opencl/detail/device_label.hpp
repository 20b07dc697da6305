// SPDX-License-Identifier: Apache-2.0
// Texts that tell devices of the same name apart: by their PCI address or by their number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/device_identity.hpp"
#include "pointsman/resource/opencl/detail/distinct_devices.hpp"

namespace pointsman::opencl::detail {

/// The address as `lspci -D` and `nvidia-smi` write it: "0000:3b:00.0".
[[nodiscard]] inline std::string text_of(const pci_address& address) {
    char text[40];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", address[0], address[1], address[2],
                  address[3]);
    return text;
}

struct named_device {
    std::string name;
    std::optional<pci_address> pci;
};

/// The name of `listed[index]`, followed by its address if other devices have the same name, or by its
/// number among them if it has no address that is different from theirs.
[[nodiscard]] inline std::string label_in(const std::vector<named_device>& listed,
                                          std::size_t index) {
    const named_device& wanted = listed[index];
    std::size_t same_name = 0;
    std::size_t same_address = 0;
    std::size_t number = 0;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        if (listed[i].name == wanted.name) {
            ++same_name;
            same_address += listed[i].pci == wanted.pci ? 1 : 0;
            number += i <= index ? 1 : 0;
        }
    }
    if (same_name == 1) {
        return wanted.name;
    }
    const bool address_is_its_own = wanted.pci && same_address == 1;
    return wanted.name + (address_is_its_own ? " (PCI " + text_of(*wanted.pci) + ")"
                                             : " (number " + std::to_string(number) + " of " +
                                                   std::to_string(same_name) + ")");
}

/// The label of a whole device among the devices of the machine.
[[nodiscard]] inline std::string label_of(const cl::Device& device) {
    const auto listed = distinct_devices{}.devices;
    std::vector<named_device> names;
    std::optional<std::size_t> found;
    for (const listed_device& each : listed) {
        if (each.handle() == device()) {
            found = names.size();
        }
        names.push_back({each.handle.getInfo<CL_DEVICE_NAME>(), each.identity.pci});
    }
    return found ? label_in(names, *found) : device.getInfo<CL_DEVICE_NAME>();
}

}  // namespace pointsman::opencl::detail
