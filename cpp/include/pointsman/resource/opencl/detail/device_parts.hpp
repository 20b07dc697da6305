// SPDX-License-Identifier: Apache-2.0
// Splits a device into parts, and explains why it cannot be split.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::opencl::detail {

using partition_properties = std::vector<cl_device_partition_property>;

[[nodiscard]] inline partition_properties by_counts(const std::vector<unsigned>& compute_units) {
    partition_properties wanted{CL_DEVICE_PARTITION_BY_COUNTS};
    for (const unsigned each : compute_units) {
        wanted.push_back(each);
    }
    wanted.push_back(CL_DEVICE_PARTITION_BY_COUNTS_LIST_END);
    wanted.push_back(0);
    return wanted;
}

[[nodiscard]] inline partition_properties equally(unsigned compute_units) {
    return {CL_DEVICE_PARTITION_EQUALLY, static_cast<cl_device_partition_property>(compute_units),
            0};
}

/// **Throws**: `invalid_option`, naming the counts, if `device` cannot have such parts.
template <class Device>
void check_counts(const Device& device, const std::vector<unsigned>& compute_units) {
    const unsigned available = device.compute_units();
    std::uint64_t sum = 0;
    bool has_none = compute_units.empty();
    std::string text;
    for (const unsigned count : compute_units) {
        sum += count;
        has_none = has_none || count == 0;
        text += (text.empty() ? "" : " + ") + std::to_string(count);
    }
    if (has_none || sum > available) {
        throw invalid_option{"'" + device.label() + "' has " + std::to_string(available) +
                             " compute units and cannot be split into parts of " +
                             (text.empty() ? "no count at all" : text) +
                             ": pass counts from 1 that add up to " + std::to_string(available) +
                             " at most"};
    }
}

/// **Throws**: `opencl::error` if the driver does not split `device` like this.
[[nodiscard]] inline std::vector<cl::Device> make_parts(const cl::Device& device,
                                                        const partition_properties& wanted) {
    check_not_forked();
    std::vector<cl::Device> parts;
    try {
        // The bindings do not modify the device that they split.
        const_cast<cl::Device&>(device).createSubDevices(wanted.data(), &parts);
    } catch (const cl::Error& refused) {
        throw error{refused.err(),
                    "the driver does not split '" + device.getInfo<CL_DEVICE_NAME>() +
                        "' like this: use it undivided, with several queues if work on it "
                        "should overlap"};
    }
    return parts;
}

}  // namespace pointsman::opencl::detail
