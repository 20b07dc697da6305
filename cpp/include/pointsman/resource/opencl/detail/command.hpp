// SPDX-License-Identifier: Apache-2.0
// A command on a queue, its status, and its completion time on the host's clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "pointsman/base/prefetch.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/failed_events.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/detail/stamp_check.hpp"
#include "pointsman/submission/completion.hpp"

namespace pointsman::opencl::detail {

/// How reliable the device timestamps of a command are.
enum class timestamps : std::uint8_t {
    none,         ///< not profiled
    undated,      ///< profiled, but the time is not needed
    bound,        ///< profiled, but the host time was read some time after the enqueue
    unconfirmed,  ///< profiled, and the host time is known; a `stamp_check` decides
    exact,        ///< profiled, and the host time of the enqueue is known
};

/// What notices the completion of a command: the driver's event callback or pointsman's watcher.
enum class notice : std::uint8_t { callback, polling };

/// A command with everything needed to notice and to time its completion.
struct command {
    owned<cl::Event> event;
    clock::time_point enqueued{};  ///< host time just before the enqueue, unless `undated`
    timestamps stamped = timestamps::none;
    notice noticed_by = notice::polling;
    bool may_fail_alone = true;  ///< false: if it fails, so does the next on its in-order queue
    std::uint32_t number = 0;    ///< assigned by its watch; grows from command to command

    /// CL_COMPLETE, a negative error code, or positive while the command is not complete. In a forked
    /// child the status is a failure, since no completion would be noticed there. The event of a failed
    /// command is kept for a while (see `failed_events`).
    [[nodiscard]] cl_int status() const noexcept {
        if (driver_mark().is_stale()) {
            return CL_DEVICE_NOT_AVAILABLE;
        }
        cl_int status = CL_COMPLETE;
        const cl_int refused = clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS,
                                              sizeof status, &status, nullptr);
        if (refused == CL_SUCCESS && status < CL_COMPLETE) {
            failed_events::instance().keep(event(), clock::now());
        }
        return refused == CL_SUCCESS ? status : refused;
    }
    [[nodiscard]] bool is_complete() const noexcept { return status() <= CL_COMPLETE; }

    /// Called just after the enqueue: discards timestamps that will not be true (see `stamp_check`).
    /// Drivers that call back promptly are not known to stamp late.
    void check_stamps() noexcept {
        if (stamped != timestamps::none && noticed_by == notice::polling && status() == CL_QUEUED) {
            stamped = timestamps::none;
        }
    }

    /// Reads a device timestamp in nanoseconds; returns false if the driver has none. NVIDIA's markers
    /// have a QUEUED of zero.
    [[nodiscard]] bool read(cl_profiling_info which, cl_ulong& nanoseconds) const noexcept {
        return clGetEventProfilingInfo(event(), which, sizeof nanoseconds, &nanoseconds, nullptr) ==
                   CL_SUCCESS &&
               nanoseconds != 0;
    }

    /// How the completed command ended; `stamps` is that of its queue's watch, null without a watch.
    [[nodiscard]] completion outcome(stamp_check* stamps = nullptr) const noexcept {
        return dated(completion::noticed_now(status() == CL_COMPLETE), stamps);
    }

    /// `noticed`, with its true time if that is known. The device has a clock of its own, so the time
    /// from QUEUED to END is added to the host time of the enqueue; it may be read at any later time.
    [[nodiscard]] completion dated(const completion& noticed, stamp_check* stamps) const noexcept {
        cl_ulong queued = 0;
        cl_ulong ended = 0;
        if (stamped <= timestamps::undated || !noticed.succeeded ||
            !read(CL_PROFILING_COMMAND_QUEUED, queued) || !read(CL_PROFILING_COMMAND_END, ended) ||
            ended < queued || !are_true(stamps, queued)) {
            return noticed;
        }
        const auto end = enqueued + std::chrono::nanoseconds{ended - queued};
        return {std::min(end, noticed.end), true, stamped != timestamps::bound};
    }

  private:
    [[nodiscard]] bool are_true(stamp_check* stamps, cl_ulong queued) const noexcept {
        if (stamped == timestamps::unconfirmed) {
            return stamps != nullptr && stamps->confirms(enqueued, queued);
        }
        if (stamped == timestamps::exact && stamps != nullptr) {
            stamps->set(enqueued, queued);
        }
        return true;
    }
};

/// A command and the callback for its completion. It releases the event before the call, so that the
/// event is not kept alive during the callback. If the waitable is kept anyway (`keeps_work`), its event
/// is used without a reference, which would cost two locks in the driver.
class notification {
  public:
    notification(const command& watched, completion_callback callback)
        : notification{watched, callback, reference_for(watched, callback)} {}
    /// Like `send`, without a call to the driver, with the result of `reference_for`.
    notification(const command& watched, completion_callback callback,
                 owned<cl::Event>&& reference) noexcept
        : watched_{std::move(reference), watched.enqueued,       watched.stamped,
                   watched.noticed_by,   watched.may_fail_alone, watched.number},
          callback_{callback} {
        watched_.event() = watched.event();
    }
    [[nodiscard]] static owned<cl::Event> reference_for(const command& watched,
                                                        const completion_callback& callback) {
        return callback.keeps_work ? owned<cl::Event>{} : watched.event;
    }
    notification(notification&&) noexcept = default;
    notification& operator=(notification&& other) noexcept {
        release_event();
        watched_ = std::move(other.watched_);
        callback_ = other.callback_;
        return *this;
    }
    ~notification() {
        if (watched_.event() != nullptr) {
            release_event();
        }
    }

    [[nodiscard]] const command& watched() const noexcept { return watched_; }
    [[nodiscard]] bool wants_time() const noexcept { return callback_.wants_time; }

    /// Prefetches the callback's target, which was last accessed some time ago.
    void fetch() const noexcept {
        pointsman::detail::prefetch_for_write<callee_bytes>(callback_.context);
    }

    void send(stamp_check* stamps = nullptr) noexcept {
        const auto noticed = completion::noticed_now(watched_.status() == CL_COMPLETE);
        send(callback_.wants_time ? watched_.dated(noticed, stamps) : noticed);
    }
    void send(const completion& end) noexcept {
        release_event();
        callback_(end);
    }

  private:
    static constexpr std::size_t callee_bytes = 256;  // the size of most callback targets, or more

    void release_event() noexcept {
        if (callback_.keeps_work) {
            watched_.event() = nullptr;
        } else {
            watched_.event = {};
        }
    }

    command watched_;
    completion_callback callback_;
};

}  // namespace pointsman::opencl::detail
