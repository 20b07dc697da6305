// SPDX-License-Identifier: Apache-2.0
// Provides the context that all of pointsman's queues on a device share.
#pragma once

#include <utility>
#include <vector>

#include "pointsman/error.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/device_group.hpp"
#include "pointsman/resource/opencl/detail/single_contexts.hpp"
#include "pointsman/resource/opencl/device.hpp"

namespace pointsman::opencl {

/// The context of `device`, shared by every queue on the device, so that buffers and programs serve all of
/// them: the context of the device's group, otherwise a context of the device alone. The latter is made at
/// first use, which takes tens of milliseconds, and kept until the process ends. If a queue in it failed so that
/// the context may be lost, the next call runs a command in it, and replaces it if that fails too.
///
/// Devices without a group do not share a context, even under one driver: a shared context would start
/// every GPU of the machine for a queue on one of them, fail if one GPU fails, and let the driver move
/// buffers between GPUs implicitly, which slows down the kernels that use them. Call `share_context` to
/// share a context.
/// **Throws**: `opencl::error`; `forked_process` in a child that was forked after the first use.
/// **Thread safety**: from any thread.
[[nodiscard]] inline cl::Context context_of(const device& device) {
    detail::check_not_forked();
    if (device.group() != nullptr) {
        return device.group()->context();
    }
    return detail::single_contexts::instance().get(device.handle());
}

/// Returns the given devices, which must have the same driver, as members of a new context: a buffer serves
/// the queues made on any of them, and a command on one device may wait for an event of another.
/// **Throws**: `invalid_option` for an empty list; `opencl::error` if the devices cannot share a context.
/// **Cost**: making a context, tens of milliseconds or more for each device.
/// **Example**:
///
///     auto gpus = pointsman::opencl::share_context(pointsman::opencl::devices());
///     pointsman::opencl::queue first{gpus[0]}, second{gpus[1]};
[[nodiscard]] inline std::vector<device> share_context(const std::vector<device>& devices) {
    if (devices.empty()) {
        throw invalid_option{
            "no device was given to share a context (size 0): pass one or more, such as those of "
            "devices() that have the same platform()"};
    }
    detail::check_not_forked();
    std::vector<cl::Device> handles;
    detail::device_group::list owners;
    for (const device& member : devices) {
        handles.push_back(member.handle());
        owners.push_back(member.group());
    }
    detail::device_group::collect();
    const auto group = detail::translated(
        [&] { return detail::device_group::make(std::move(handles), std::move(owners)); });
    std::vector<device> members;
    for (const device& member : devices) {
        members.emplace_back(member.handle(), group);
    }
    return members;
}

}  // namespace pointsman::opencl
