// SPDX-License-Identifier: Apache-2.0
// Sends a command and notices its completion by the method that suits its driver.
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

/// Callbacks of drivers for CPUs and of PoCL run within a microsecond of the end. NVIDIA's run
/// milliseconds late, and nothing is known of the others, while a status can be read everywhere. Each
/// thread caches the answer for one device, since a driver takes a microsecond to give it.
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
/// hand each command to the device at once, while a flush takes the first 0.6 us.
[[nodiscard]] inline bool needs_flush(const cl::Device& device) {
    const bool submits_at_once =
        platform_name(device) == "NVIDIA CUDA" || (is_pocl(device) && is_cpu(device));
    return !submits_at_once;
}

/// Returns true if a kernel that waits only for its position in the queue may fail without those behind
/// it: on NVIDIA's driver the first failure invalidates the context.
[[nodiscard]] inline bool may_fail_alone(const cl::Device& device) {
    return platform_name(device) != "NVIDIA CUDA";
}

/// A command that the watcher polls.
class polled_command final : public pointsman::detail::pollable_work {
  public:
    explicit polled_command(notification wanted) : wanted_{std::move(wanted)} {}

    pointsman::detail::poll_result poll() noexcept override {
        if (!wanted_.watched().is_over()) {
            return pointsman::detail::poll_result::nothing_new;
        }
        wanted_.send();
        return pointsman::detail::poll_result::over;
    }

  private:
    notification wanted_;
};

/// Promises one call of `callback` when the command is complete, at once if it already is.
/// **Throws**: `std::bad_alloc`, `std::system_error`; the callback is then not called.
inline void notify_when_over(const command& watched, completion_callback callback) {
    if (watched.is_over()) {
        notification{watched, callback}.send();
        return;
    }
    if (watched.noticed_by == notice::callback &&
        callback_table::instance().send_when_over(watched, callback)) {
        return;
    }
    pointsman::detail::watcher::instance().watch(
        pointsman::detail::make_ref<polled_command>(notification{watched, callback}));
}

}  // namespace pointsman::opencl::detail
