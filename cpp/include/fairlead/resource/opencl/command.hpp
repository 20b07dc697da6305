// SPDX-License-Identifier: Apache-2.0
// A command on a queue, its status, and the date of its end on the host's clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "fairlead/clock.hpp"
#include "fairlead/resource/opencl/api.hpp"
#include "fairlead/resource/opencl/driver_mark.hpp"
#include "fairlead/submission/completion.hpp"

namespace fairlead::opencl::detail {

/// What the device's timestamps of a command are worth.
enum class timestamps : std::uint8_t {
    none,   ///< not profiled
    bound,  ///< profiled, but the host learned of the command some time after its enqueue
    exact,  ///< profiled, and the host's time of the enqueue is known
};

/// Who notices the end of a command: the driver's event callback or fairlead's watcher.
enum class notice : std::uint8_t { callback, polling };

/// A command with what is needed to notice and to date its end.
struct command {
    cl::Event event;
    clock::time_point enqueued{};  ///< host time just before the enqueue
    timestamps stamped = timestamps::none;
    notice noticed_by = notice::polling;

    /// CL_COMPLETE, a negative error code, or positive while the command is not over. In a forked
    /// child, which will never hear of it, the command has failed.
    [[nodiscard]] cl_int status() const noexcept {
        if (driver_mark().is_stale()) {
            return CL_DEVICE_NOT_AVAILABLE;
        }
        cl_int status = CL_COMPLETE;
        const cl_int refused = clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof status, &status, nullptr);
        return refused == CL_SUCCESS ? status : refused;
    }
    [[nodiscard]] bool is_over() const noexcept { return status() <= CL_COMPLETE; }

    /// Just after the enqueue and a flush: drops timestamps that will not be true. NVIDIA's driver
    /// keeps a command behind an unset user event to itself and stamps it QUEUED when it is let go;
    /// its status tells. Drivers that call back in time are not known to do so.
    void check_stamps() noexcept {
        if (stamped != timestamps::none && noticed_by == notice::polling && status() == CL_QUEUED) {
            stamped = timestamps::none;
        }
    }

    /// A device timestamp in nanoseconds; false when the driver has none. NVIDIA's markers have a
    /// QUEUED of zero.
    [[nodiscard]] bool read(cl_profiling_info which, cl_ulong& nanoseconds) const noexcept {
        return clGetEventProfilingInfo(event(), which, sizeof nanoseconds, &nanoseconds, nullptr) ==
                   CL_SUCCESS &&
               nanoseconds != 0;
    }

    /// How the finished command ended. The device has a clock of its own, so the time from its
    /// QUEUED to its END is added to the host's time of the enqueue: true however late it is read.
    [[nodiscard]] completion outcome() const noexcept {
        const auto noticed = completion::noticed_now(status() == CL_COMPLETE);
        cl_ulong queued = 0;
        cl_ulong ended = 0;
        if (stamped == timestamps::none || !noticed.succeeded ||
            !read(CL_PROFILING_COMMAND_QUEUED, queued) || !read(CL_PROFILING_COMMAND_END, ended) ||
            ended < queued) {
            return noticed;
        }
        const auto end = enqueued + std::chrono::nanoseconds{ended - queued};
        return {std::min(end, noticed.end), true, stamped == timestamps::exact};
    }
};

/// A command and whom to tell of its end. It lets go of the event first, so that whoever is told
/// finds nothing left alive.
struct notification {
    command watched;
    completion_callback callback;

    void send() noexcept {
        send(callback.wants_time ? watched.outcome()
                                 : completion::noticed_now(watched.status() == CL_COMPLETE));
    }
    void send(const completion& end) noexcept {
        static_cast<void>(std::exchange(watched.event, cl::Event{}));
        callback(end);
    }
};

}  // namespace fairlead::opencl::detail
