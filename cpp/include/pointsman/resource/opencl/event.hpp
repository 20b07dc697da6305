// SPDX-License-Identifier: Apache-2.0
// An OpenCL command as a waitable, with the time at which it completed.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/detail/completion.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/in_order_watch.hpp"
#include "pointsman/resource/opencl/detail/stamp_check.hpp"
#include "pointsman/resource/opencl/error.hpp"

namespace pointsman::opencl {

/// Refers to a command on a queue. Copies refer to the same command; dropping the last one does not
/// affect the command. An empty event is complete.
///
/// Its end time is exact if the queue has profiling and the host time of the enqueue is known. Both are
/// true for events of an `opencl::queue` with profiling, unless a policy submits the task without timing
/// it or the enqueue was slow (see `queue::enqueue`). NVIDIA's driver has no true timestamps of markers,
/// nor of commands behind an unset user event; their end is the time at which it was noticed. In a forked
/// child the event of a command has failed.
/// **Thread safety**: any member except assignment may be called from any thread.
class event {
  public:
    /// See `completion_callback::keeps_work`.
    static constexpr bool may_be_borrowed = true;
    /// See `timing_scope`.
    static constexpr bool dated_at_start = true;

    /// An empty event, which is complete.
    event() = default;

    /// A command enqueued just after `enqueued`; its queue is flushed.
    /// **Throws**: `opencl::error`; `forked_process`.
    event(detail::owned<cl::Event> handle, clock::time_point enqueued)
        : event{std::move(handle), enqueued, detail::timestamps::exact} {}

    /// A command enqueued some time ago. The time between its enqueue and this call is not known, so its
    /// end time is an upper bound: wrap events soon after the enqueue. User events are also accepted.
    /// **Throws**: `opencl::error`; `forked_process`, before any call to the driver.
    explicit event(const cl::Event& handle)
        : event{detail::owned<cl::Event>{handle}, clock::now(), detail::timestamps::bound} {}

    /// A command of a queue; `watch` is the queue's watch, if it has one.
    explicit event(detail::command&& command,
                   pointsman::detail::ref<detail::in_order_watch> watch = {}) noexcept
        : command_{std::move(command)}, watch_{std::move(watch)} {}

    /// Blocks until the command is complete. A user event that nobody sets never completes.
    /// **Throws**: `opencl::error` with the command's negative status if it failed; `forked_process` in
    /// a child forked since.
    void wait() const {
        if (command_.event() == nullptr) {
            return;
        }
        detail::check_not_forked();
        const cl_int waited = clWaitForEvents(1, &command_.event());
        const cl_int status = command_.status();
        if (status < 0) {
            throw error{status, "the OpenCL command failed"};
        }
        if (waited != CL_SUCCESS) {
            throw error{waited, "clWaitForEvents"};
        }
    }

    /// Returns true if the command is complete, with or without success. Never blocks.
    [[nodiscard]] bool is_ready() const noexcept {
        return command_.event() == nullptr || command_.status() <= CL_COMPLETE;
    }

    /// Calls `callback` once when the command is complete: at once if it already is; otherwise from a driver
    /// thread, from pointsman's watcher, or from a later call of this function for another command.
    /// **Throws**: `std::bad_alloc`, `std::system_error`, `forked_process`; `callback` is then not
    /// called.
    /// **Cost**: for a command of an in-order `opencl::queue`, a list entry; otherwise one allocation
    /// and, depending on the driver, 0.2 us for a callback or an entry in the watcher.
    void on_completion(completion_callback callback) const {
        if (command_.event() == nullptr || detail::driver_mark().is_stale()) {
            callback(outcome());
        } else if (!watch_ || !watch_->add(command_, callback)) {
            detail::notify_when_complete(command_, callback);
        }
    }

    /// How the completed command ended.
    [[nodiscard]] completion outcome() const noexcept {
        if (command_.event() == nullptr) {
            return completion::noticed_now();
        }
        return command_.outcome(watch_ ? &watch_->stamps() : nullptr);
    }

    /// How long the device worked on the command, from its start to its end; empty until it is
    /// complete, if it failed, and on a queue without profiling.
    [[nodiscard]] std::optional<clock::duration> elapsed() const noexcept {
        cl_ulong start = 0;
        cl_ulong end = 0;
        if (command_.event() == nullptr || command_.stamped == detail::timestamps::none ||
            command_.status() != CL_COMPLETE || !command_.read(CL_PROFILING_COMMAND_START, start) ||
            !command_.read(CL_PROFILING_COMMAND_END, end) || end < start) {
            return std::nullopt;
        }
        return std::chrono::nanoseconds{end - start};
    }

    /// The event as an object of the Khronos bindings, for wait lists.
    [[nodiscard]] const cl::Event& handle() const noexcept { return command_.event; }

  private:
    friend class queue;  // enqueues into the command of an event

    event(detail::owned<cl::Event> handle, clock::time_point enqueued,
          detail::timestamps if_profiled)
        : command_{std::move(handle), enqueued} {
        if (command_.event() != nullptr) {
            detail::translated([&] { learn(if_profiled); });
        }
    }

    /// Flushes the queue, since the end of an unflushed command would never be noticed. User events
    /// have no queue.
    void learn(detail::timestamps if_profiled) {
        detail::check_not_forked();
        const auto queue = command_.event.getInfo<CL_EVENT_COMMAND_QUEUE>();
        if (queue() != nullptr) {
            command_.noticed_by = detail::notice_for(queue.getInfo<CL_QUEUE_DEVICE>());
            if ((queue.getInfo<CL_QUEUE_PROPERTIES>() & CL_QUEUE_PROFILING_ENABLE) != 0) {
                command_.stamped = if_profiled;
            }
            queue.flush();
            command_.check_stamps();
        } else {
            const auto context = command_.event.getInfo<CL_EVENT_CONTEXT>();
            command_.noticed_by = detail::notice_for(context.getInfo<CL_CONTEXT_DEVICES>().front());
        }
    }

    detail::command command_;
    pointsman::detail::ref<detail::in_order_watch> watch_;
};

}  // namespace pointsman::opencl
