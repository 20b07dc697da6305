// SPDX-License-Identifier: Apache-2.0
// A handle to an OpenCL device, which can be queried and split into sub-devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/resource/detail/cores.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/device_group.hpp"
#include "pointsman/resource/opencl/detail/device_identity.hpp"
#include "pointsman/resource/opencl/detail/device_label.hpp"
#include "pointsman/resource/opencl/detail/device_parts.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/tuning/domain.hpp"

namespace pointsman::opencl {

/// An OpenCL device or a part of one: a cheap handle, equal to every other handle to the same device.
/// **Throws**: from every query `opencl::error` if the driver refuses it, `forked_process` in a child
/// forked after the first use of OpenCL.
/// **Thread safety**: any member from any thread.
class device {
    template <cl_device_info Info>
    auto get() const {
        detail::check_not_forked();
        return detail::translated([&] { return handle_.getInfo<Info>(); });
    }

  public:
    explicit device(const cl::Device& handle) : handle_{handle} {}
    /// A device whose queues use the context of `group`.
    device(const cl::Device& handle, std::shared_ptr<const detail::device_group> group)
        : handle_{handle}, group_{std::move(group)} {}

    /// The name as the driver gives it, which is the same for two GPUs of one model.
    [[nodiscard]] std::string name() const { return get<CL_DEVICE_NAME>(); }
    /// The name, and what tells this device from others of the machine that have the same name: its PCI
    /// address, "NVIDIA H200 (PCI 0000:3b:00.0)", or its number, "NVIDIA H200 (number 2 of 8)". A part
    /// of a device has its number among the parts made with it: "cpu (part 1 of 2)".
    /// **Cost**: lists the machine's devices.
    [[nodiscard]] std::string label() const {
        detail::check_not_forked();
        return detail::translated([&] { return label_of(handle_, group_.get()); });
    }
    /// The address on the PCI bus, such as "0000:3b:00.0"; empty if the driver does not tell it.
    [[nodiscard]] std::optional<std::string> pci_address() const {
        detail::check_not_forked();
        const auto pci =
            detail::translated([&] { return detail::identity_of(cl::Device{whole(), true}).pci; });
        return pci ? std::optional{detail::text_of(*pci)} : std::nullopt;
    }
    [[nodiscard]] std::string vendor() const { return get<CL_DEVICE_VENDOR>(); }
    [[nodiscard]] std::string driver_version() const { return get<CL_DRIVER_VERSION>(); }
    /// The name of the platform, that is, of the device's driver.
    [[nodiscard]] std::string platform() const {
        detail::check_not_forked();
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

    /// The hardware that the device's queues share: the cores of the machine for a CPU; otherwise the whole
    /// device, even if this is a part of it.
    [[nodiscard]] pointsman::domain domain() const {
        if (is_cpu()) {
            return pointsman::detail::all_cores(1, compute_units());
        }
        return {.id = reinterpret_cast<std::uintptr_t>(whole())};
    }

    /// Splits the device into one part per element of `compute_units`, with that many compute units
    /// each; no unit belongs to two parts. The parts are devices of one context: a buffer serves the
    /// queues on all of them. They exist while a handle, a queue or a command refers to them.
    /// **Throws**: `invalid_option` for no counts, a count of 0, or a sum above `compute_units()`;
    /// `opencl::error` if the driver cannot split devices (drivers for CPUs can).
    /// **Cost**: making a context, tens of milliseconds.
    /// **Example**: `for (const auto& half : cpu.split({4, 4})) queues.emplace_back(half);`
    [[nodiscard]] std::vector<device> split(const std::vector<unsigned>& compute_units) const {
        detail::check_counts(*this, compute_units);
        return adopt(detail::make_parts(handle_, detail::by_counts(compute_units)));
    }

    /// Splits the device into as many parts of `compute_units` as possible. Otherwise like `split`.
    [[nodiscard]] std::vector<device> split_equally(unsigned compute_units) const {
        detail::check_counts(*this, {compute_units});
        return adopt(detail::make_parts(handle_, detail::equally(compute_units)));
    }

    /// The group whose context the device's queues use; null for a device without a group.
    [[nodiscard]] const std::shared_ptr<const detail::device_group>& group() const noexcept {
        return group_;
    }
    /// The device as an object of the Khronos bindings.
    [[nodiscard]] const cl::Device& handle() const noexcept { return handle_; }

    friend bool operator==(const device& a, const device& b) noexcept {
        return a.handle_() == b.handle_();
    }

  private:
    static std::string label_of(const cl::Device& device, const detail::device_group* group) {
        const auto parent = device.getInfo<CL_DEVICE_PARENT_DEVICE>();
        if (parent() == nullptr) {
            return detail::label_of(device);
        }
        const auto place = group != nullptr ? group->place_of(device) : std::nullopt;
        return label_of(parent, place ? place->of_whole : nullptr) +
               (place ? " (part " + std::to_string(place->index + 1) + " of " +
                            std::to_string(place->size) + ")"
                      : " (a part)");
    }

    /// The whole device that this device is a part of, or this device itself.
    [[nodiscard]] cl_device_id whole() const {
        cl::Device found = handle_;
        for (auto parent = get<CL_DEVICE_PARENT_DEVICE>(); parent() != nullptr;
             parent = device{found}.get<CL_DEVICE_PARENT_DEVICE>()) {
            found = parent;
        }
        return found();
    }

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

    detail::owned<cl::Device> handle_;
    std::shared_ptr<const detail::device_group> group_;
};

}  // namespace pointsman::opencl
