// SPDX-License-Identifier: Apache-2.0
// How a command is sent off and its end noticed, driver by driver.
#pragma once

#include <string>
#include <utility>

#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/callback_table.hpp"
#include "fairlead/resource/opencl/command.hpp"
#include "fairlead/submission/watcher.hpp"

namespace fairlead::opencl::detail {

[[nodiscard]] inline std::string platform_name(const cl::Device& device) {
    return cl::Platform{device.getInfo<CL_DEVICE_PLATFORM>()}.getInfo<CL_PLATFORM_NAME>();
}

/// Callbacks of drivers for CPUs and of PoCL run within a microsecond of the end. NVIDIA's run
/// milliseconds late and nothing is known of the others, while a status can be read everywhere.
[[nodiscard]] inline notice notice_for(const cl::Device& device) {
    return (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0 ||
                   platform_name(device) == "Portable Computing Language"
               ? notice::callback
               : notice::polling;
}

/// Whether commands may stay in the queue until a flush. NVIDIA's driver hands each to the device at
/// once, while a flush takes it 0.6 us.
[[nodiscard]] inline bool needs_flush(const cl::Device& device) {
    return platform_name(device) != "NVIDIA CUDA";
}

/// A command that the watcher polls.
class polled_command final : public fairlead::detail::pollable_work {
  public:
    explicit polled_command(notification wanted) : wanted_{std::move(wanted)} {}

    fairlead::detail::poll_result poll() noexcept override {
        if (!wanted_.watched.is_over()) {
            return fairlead::detail::poll_result::nothing_new;
        }
        wanted_.send();
        return fairlead::detail::poll_result::over;
    }

  private:
    notification wanted_;
};

/// Promises one call of `wanted.callback` when the command is over, at once when it is already.
/// **Throws**: `std::bad_alloc`, `std::system_error`; the callback is not called then.
inline void notify_when_over(notification wanted) {
    if (wanted.watched.is_over()) {
        wanted.send();
        return;
    }
    if (wanted.watched.noticed_by == notice::callback &&
        callback_table::instance().send_when_over(wanted)) {
        return;
    }
    fairlead::detail::watcher::instance().watch(
        fairlead::detail::make_ref<polled_command>(std::move(wanted)));
}

}  // namespace fairlead::opencl::detail
