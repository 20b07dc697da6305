// SPDX-License-Identifier: Apache-2.0
// Lists each OpenCL device of this machine once, and the drivers that fail.
#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/device_identity.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/vendor_files.hpp"
#include "pointsman/resource/opencl/device.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::opencl {

namespace detail {
/// Order of the list: GPUs, other accelerators, CPUs.
[[nodiscard]] inline int rank(const device& d) { return d.is_gpu() ? 0 : d.is_cpu() ? 2 : 1; }

struct listed_device {
    device found;
    device_identity identity;
    int rank;
};

inline void list_platform(const cl::Platform& platform, std::vector<listed_device>& list) {
    std::vector<cl::Device> found;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &found);
    for (const cl::Device& handle : found) {
        if (!handle.getInfo<CL_DEVICE_AVAILABLE>()) {
            continue;
        }
        const auto identity = identity_of(handle);
        const auto is_same = [&](const auto& entry) { return entry.identity.is_same_as(identity); };
        if (std::none_of(list.begin(), list.end(), is_same)) {
            list.push_back({device{handle}, identity, rank(device{handle})});
        }
    }
}

/// The devices in the order of the drivers, and a sentence for each driver that failed.
struct device_list {
    std::vector<listed_device> devices;
    std::vector<std::string> warnings;

    device_list() {
        check_not_forked();
        std::vector<cl::Platform> platforms;
        try {
            cl::Platform::get(&platforms);
        } catch (const cl::Error&) {  // no driver, or none that loads
            return;
        }
        for (const cl::Platform& platform : platforms) {
            try {
                list_platform(platform, devices);
            } catch (const cl::Error& failed) {  // a broken driver does not hide the others
                warnings.push_back("the OpenCL driver '" + name_of(platform) +
                                   "' does not list its devices (" + failed.what() + ": " +
                                   error_name(failed.err()) +
                                   "): repair or remove it, or check your access to its devices");
            }
        }
    }

  private:
    [[nodiscard]] static std::string name_of(const cl::Platform& platform) {
        try {
            return platform.getInfo<CL_PLATFORM_NAME>();
        } catch (const cl::Error&) {
            return "without a name";
        }
    }
};
}  // namespace detail

/// The available devices of every installed driver, GPUs first and CPUs last, otherwise in the order of
/// the drivers. A device offered by two drivers is listed once, under the first of them. A driver that
/// fails is skipped and reported by `driver_warnings`; without any driver the list is empty.
/// **Throws**: `forked_process` in a child that was forked after the first use of OpenCL.
/// **Cost**: loads the drivers at the first call.
[[nodiscard]] inline std::vector<device> devices() {
    auto list = detail::device_list{}.devices;
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.rank < b.rank; });
    std::vector<device> result;
    for (auto& entry : list) {
        result.push_back(std::move(entry.found));
    }
    return result;
}

/// Describes what is wrong with the installed drivers, in one sentence for each driver that does not
/// load or cannot list its devices; empty if all are working. The Python package emits the same as
/// warnings.
/// **Throws**: `forked_process` in a child that was forked after the first use of OpenCL.
/// **Cost**: that of `devices()`, plus reading the folder of the `.icd` files.
[[nodiscard]] inline std::vector<std::string> driver_warnings() {
    auto warnings = detail::device_list{}.warnings;
    for (auto& warning : detail::broken_vendor_files(detail::vendor_path())) {
        warnings.push_back(std::move(warning));
    }
    return warnings;
}

}  // namespace pointsman::opencl
