// SPDX-License-Identifier: Apache-2.0
// Chooses, by driver and device, how the completion of commands is noticed, and notifies of it.
#pragma once

#include <string>
#include <utility>

#include "pointsman/base/ref_counted.hpp"
#include "pointsman/base/watcher.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/batch_watch.hpp"
#include "pointsman/resource/opencl/detail/callback_table.hpp"
#include "pointsman/resource/opencl/detail/callback_watch.hpp"
#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/in_order_watch.hpp"

namespace pointsman::opencl::detail {

[[nodiscard]] inline std::string platform_name(const cl::Device& device) {
    return cl::Platform{device.getInfo<CL_DEVICE_PLATFORM>()}.getInfo<CL_PLATFORM_NAME>();
}

[[nodiscard]] inline bool is_cpu(const cl::Device& device) {
    return (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
}

[[nodiscard]] inline bool is_pocl(const cl::Device& device) {
    return platform_name(device) == "Portable Computing Language";
}

/// Drivers for CPUs, and PoCL, call back within a microsecond of the completion. NVIDIA's driver calls
/// back milliseconds late. Other drivers are unknown, so they are polled, which works everywhere. Each
/// thread caches the result for one device, since the query takes a microsecond.
[[nodiscard]] inline notice notice_for(const cl::Device& device) {
    struct answer {
        cl_device_id device = nullptr;
        notice value = notice::polling;
    };
    static thread_local answer last;
    if (last.device != device()) {
        last = {device(), is_cpu(device) || is_pocl(device) ? notice::callback : notice::polling};
    }
    return last.value;
}

/// The watch of a new in-order queue.
/// **Throws**: `std::bad_alloc`.
[[nodiscard]] inline pointsman::detail::ref<in_order_watch> watch_for(notice noticed_by) {
    if (noticed_by == notice::callback) {
        return pointsman::detail::make_ref<callback_watch>();
    }
    return pointsman::detail::make_ref<batch_watch>();
}

/// Returns true if commands may stay in the queue until a flush. NVIDIA's driver and PoCL's for CPUs
/// hand each command to the device at once; a flush would take NVIDIA's 0.6 us.
[[nodiscard]] inline bool needs_flush(const cl::Device& device) {
    const bool submits_at_once =
        platform_name(device) == "NVIDIA CUDA" || (is_pocl(device) && is_cpu(device));
    return !submits_at_once;
}

/// Returns true if a kernel without a wait list may fail while later kernels on its in-order queue
/// succeed. NVIDIA's driver invalidates the context at the first failure.
[[nodiscard]] inline bool may_fail_alone(const cl::Device& device) {
    return platform_name(device) != "NVIDIA CUDA";
}

/// A command that the watcher polls.
class polled_command final : public pointsman::detail::pollable_work {
  public:
    explicit polled_command(notification wanted) : wanted_{std::move(wanted)} {}

    pointsman::detail::poll_result poll() noexcept override {
        if (!wanted_.watched().is_complete()) {
            return pointsman::detail::poll_result::nothing_new;
        }
        wanted_.send();
        return pointsman::detail::poll_result::over;
    }

  private:
    notification wanted_;
};

/// Calls `callback` once when the command is complete, immediately if it already is.
/// **Throws**: `std::bad_alloc`, `std::system_error`; the callback is then not called.
inline void notify_when_complete(const command& watched, completion_callback callback) {
    if (watched.is_complete()) {
        notification{watched, callback}.send();
        return;
    }
    if (watched.noticed_by == notice::callback &&
        callback_table::instance().send_when_complete(watched, callback)) {
        return;
    }
    pointsman::detail::watcher::instance().watch(
        pointsman::detail::make_ref<polled_command>(notification{watched, callback}));
}

}  // namespace pointsman::opencl::detail
