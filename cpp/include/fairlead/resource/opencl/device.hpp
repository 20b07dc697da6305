// SPDX-License-Identifier: Apache-2.0
// The OpenCL devices of this machine, each listed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/device_group.hpp"
#include "fairlead/resource/opencl/device_identity.hpp"
#include "fairlead/resource/opencl/device_parts.hpp"
#include "fairlead/resource/opencl/error.hpp"

namespace fairlead::opencl {

/// An OpenCL device or a part of one: a cheap handle, equal to every other handle of the same.
/// **Throws**: `opencl::error` from every query when the driver refuses it.
/// **Thread safety**: any member from any thread.
class device {
    template <cl_device_info Info>
    auto get() const {
        return detail::translated([&] { return handle_.getInfo<Info>(); });
    }

  public:
    explicit device(cl::Device handle) : handle_{std::move(handle)} {}
    /// A device whose queues use the context of `group`.
    device(cl::Device handle, std::shared_ptr<const detail::device_group> group)
        : handle_{std::move(handle)}, group_{std::move(group)} {}

    [[nodiscard]] std::string name() const { return get<CL_DEVICE_NAME>(); }
    [[nodiscard]] std::string vendor() const { return get<CL_DEVICE_VENDOR>(); }
    [[nodiscard]] std::string driver_version() const { return get<CL_DRIVER_VERSION>(); }
    /// The name of the platform, that is of the driver, to which the device belongs.
    [[nodiscard]] std::string platform() const {
        return detail::translated([&] {
            return cl::Platform{handle_.getInfo<CL_DEVICE_PLATFORM>()}.getInfo<CL_PLATFORM_NAME>();
        });
    }

    [[nodiscard]] bool is_gpu() const { return (get<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0; }
    [[nodiscard]] bool is_cpu() const { return (get<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0; }
    [[nodiscard]] unsigned compute_units() const { return get<CL_DEVICE_MAX_COMPUTE_UNITS>(); }
    [[nodiscard]] std::size_t max_work_group_size() const {
        return get<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    }
    [[nodiscard]] std::size_t global_memory_bytes() const {
        return static_cast<std::size_t>(get<CL_DEVICE_GLOBAL_MEM_SIZE>());
    }

    /// One part for each of `compute_units`, with so many of the device's compute units, which no
    /// other part uses. The parts are devices of one context: a buffer serves the queues on all of
    /// them. They last as long as a handle, a queue or a command refers to them.
    /// **Throws**: `invalid_option` for counts that the device does not have; `opencl::error` when
    /// its driver does not split (drivers for CPUs do).
    /// **Cost**: that of a context, tens of milliseconds.
    /// **Example**: `for (const auto& half : cpu.split({4, 4})) queues.emplace_back(half);`
    [[nodiscard]] std::vector<device> split(const std::vector<unsigned>& compute_units) const {
        detail::check_counts(*this, compute_units);
        return adopt(detail::make_parts(handle_, detail::by_counts(compute_units)));
    }

    /// As many parts of `compute_units` each as there is room for. The same as `split` otherwise.
    [[nodiscard]] std::vector<device> split_equally(unsigned compute_units) const {
        detail::check_counts(*this, {compute_units});
        return adopt(detail::make_parts(handle_, detail::equally(compute_units)));
    }

    /// The group whose context the device's queues use; null for a device that stands alone.
    [[nodiscard]] const std::shared_ptr<const detail::device_group>& group() const noexcept {
        return group_;
    }
    /// The device in the terms of the Khronos bindings.
    [[nodiscard]] const cl::Device& handle() const noexcept { return handle_; }

    friend bool operator==(const device& a, const device& b) noexcept {
        return a.handle_() == b.handle_();
    }

  private:
    [[nodiscard]] std::vector<device> adopt(const std::vector<cl::Device>& parts) const {
        detail::device_group::collect();
        const auto group =
            detail::translated([&] { return detail::device_group::make(parts, {group_}); });
        std::vector<device> adopted;
        for (const cl::Device& part : parts) {
            adopted.emplace_back(part, group);
        }
        return adopted;
    }

    cl::Device handle_;
    std::shared_ptr<const detail::device_group> group_;
};

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
}  // namespace detail

/// The available devices of every installed driver, GPUs first and CPUs last, otherwise in the
/// order of the drivers. A device that two drivers offer is listed once, under the first of them.
/// A driver that fails is passed over; without any driver the list is empty.
/// **Throws**: `forked_process` in a child that was forked after the first use of OpenCL.
/// **Cost**: loads the drivers at the first call.
[[nodiscard]] inline std::vector<device> devices() {
    detail::check_not_forked();
    std::vector<detail::listed_device> list;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error&) {  // no driver, or none that loads
        return {};
    }
    for (const cl::Platform& platform : platforms) {
        try {
            detail::list_platform(platform, list);
        } catch (const std::exception&) {  // a broken driver does not hide the others
        }
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.rank < b.rank; });
    std::vector<device> result;
    for (auto& entry : list) {
        result.push_back(std::move(entry.found));
    }
    return result;
}

}  // namespace fairlead::opencl
