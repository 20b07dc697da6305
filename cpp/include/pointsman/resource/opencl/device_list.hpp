// SPDX-License-Identifier: Apache-2.0
// Lists each OpenCL device of this machine once, and the drivers that fail.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/resource/opencl/detail/distinct_devices.hpp"
#include "pointsman/resource/opencl/detail/vendor_files.hpp"
#include "pointsman/resource/opencl/device.hpp"

namespace pointsman::opencl {

namespace detail {
/// Order of the list: GPUs, other accelerators, CPUs.
[[nodiscard]] inline int rank(const device& d) { return d.is_gpu() ? 0 : d.is_cpu() ? 2 : 1; }
}  // namespace detail

/// The available devices of every installed driver, GPUs first and CPUs last, otherwise in the order of
/// the drivers. A device offered by two drivers is listed once, under the first of them. A driver that
/// fails is skipped and reported by `driver_warnings`; without any driver the list is empty.
/// **Throws**: `forked_process` in a child that was forked after the first use of OpenCL.
/// **Cost**: loads the drivers at the first call.
[[nodiscard]] inline std::vector<device> devices() {
    std::vector<device> found;
    for (const auto& each : detail::distinct_devices{}.devices) {
        found.emplace_back(each.handle);
    }
    std::ranges::stable_sort(found, {}, &detail::rank);
    return found;
}

/// Describes what is wrong with the installed drivers, in one sentence for each driver that does not
/// load or cannot list its devices; empty if all are working. The Python package emits the same as
/// warnings.
/// **Throws**: `forked_process` in a child that was forked after the first use of OpenCL.
/// **Cost**: that of `devices()`, plus reading the folder of the `.icd` files.
[[nodiscard]] inline std::vector<std::string> driver_warnings() {
    auto warnings = detail::distinct_devices{}.warnings;
    for (auto& warning : detail::broken_vendor_files(detail::vendor_path())) {
        warnings.push_back(std::move(warning));
    }
    return warnings;
}

}  // namespace pointsman::opencl
