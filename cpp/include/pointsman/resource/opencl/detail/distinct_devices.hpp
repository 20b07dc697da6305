// SPDX-License-Identifier: Apache-2.0
// Asks every driver for its devices and leaves out the devices that an earlier driver has listed.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/device_identity.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::opencl::detail {

struct listed_device {
    cl::Device handle;
    device_identity identity;
};

/// The available devices in the order of the drivers, and a sentence for each driver that failed.
struct distinct_devices {
    std::vector<listed_device> devices;
    std::vector<std::string> warnings;

    /// **Throws**: `forked_process`.
    distinct_devices() {
        check_not_forked();
        std::vector<cl::Platform> platforms;
        try {
            cl::Platform::get(&platforms);
        } catch (const cl::Error&) {  // no driver, or none that loads
            return;
        }
        for (const cl::Platform& platform : platforms) {
            try {
                list(platform);
            } catch (const cl::Error& failed) {  // a broken driver does not hide the others
                warnings.push_back("the OpenCL driver '" + name_of(platform) +
                                   "' does not list its devices (" + failed.what() + ": " +
                                   error_name(failed.err()) +
                                   "): repair or remove it, or check your access to its devices");
            }
        }
    }

  private:
    void list(const cl::Platform& platform) {
        std::vector<cl::Device> found;
        platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
        for (const cl::Device& handle : found) {
            if (!handle.getInfo<CL_DEVICE_AVAILABLE>()) {
                continue;
            }
            const auto identity = identity_of(handle);
            const auto is_same = [&](const listed_device& each) {
                return each.identity.is_same_as(identity);
            };
            if (std::none_of(devices.begin(), devices.end(), is_same)) {
                devices.push_back({handle, identity});
            }
        }
    }

    [[nodiscard]] static std::string name_of(const cl::Platform& platform) {
        try {
            return platform.getInfo<CL_PLATFORM_NAME>();
        } catch (const cl::Error&) {
            return "without a name";
        }
    }
};

}  // namespace pointsman::opencl::detail
