// SPDX-License-Identifier: Apache-2.0
// The end of an OpenCL command, as a waitable.
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

/// Stands for a command on a queue. Copies stand for the same command; dropping the last one
/// changes nothing for the command. An empty event is complete.
///
/// Its end is exact when the queue has profiling and the host's time of the enqueue is known, as
/// for the events that `opencl::queue` returns where somebody wants it: outside of a policy, and in
/// one that times the task. NVIDIA's driver has no true timestamps of markers,
/// nor of commands behind an unset user event; their end is when it was noticed. In a forked child
/// the event of a command has failed.
/// **Thread safety**: any member of one object from any thread, assignment excepted.
class event {
  public:
    /// See `completion_callback::keeps_work`.
    static constexpr bool may_be_borrowed = true;
    /// See `timing_scope`.
    static constexpr bool dated_at_start = true;

    /// Complete from the start.
    event() = default;

    /// A command that was enqueued just after `enqueued`; its queue is flushed.
    /// **Throws**: `opencl::error`; `forked_process`.
    event(detail::owned<cl::Event> handle, clock::time_point enqueued)
        : event{std::move(handle), enqueued, detail::timestamps::exact} {}

    /// A command that was enqueued some time before. The time between its enqueue and this call is
    /// not known, so its end is an upper bound; wrap it soon. A user event is welcome too.
    /// **Throws**: `opencl::error`; `forked_process`, before any call to the driver.
    explicit event(const cl::Event& handle)
        : event{detail::owned<cl::Event>{handle}, clock::now(), detail::timestamps::bound} {}

    /// A command of a queue that has a watch of its own, or none.
    explicit event(detail::command&& command,
                   pointsman::detail::ref<detail::in_order_watch> watch = {}) noexcept
        : command_{std::move(command)}, watch_{std::move(watch)} {}

    /// Blocks until the command is over. A user event that nobody sets is never over.
    /// **Throws**: `opencl::error` with the command's negative status when it failed;
    /// `forked_process` in a child that was forked since.
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

    /// Whether the command is over, well or badly. Never blocks.
    [[nodiscard]] bool is_ready() const noexcept {
        return command_.event() == nullptr || command_.status() <= CL_COMPLETE;
    }

    /// Calls `callback` once when the command is over: from a thread of the driver, from pointsman's
    /// watcher, or from a call of this function, at once or for a command before.
    /// **Throws**: `std::bad_alloc`, `std::system_error`, `forked_process`; `callback` is not called
    /// then.
    /// **Cost**: for a command of an in-order `opencl::queue` a place in a list; else one allocation
    /// and, by driver, 0.2 us for a callback or a place in the watcher.
    void on_completion(completion_callback callback) const {
        if (command_.event() == nullptr || detail::driver_mark().is_stale()) {
            callback(outcome());
        } else if (!watch_ || !watch_->add(command_, callback)) {
            detail::notify_when_over(command_, callback);
        }
    }

    /// How the finished command ended.
    [[nodiscard]] completion outcome() const noexcept {
        if (command_.event() == nullptr) {
            return completion::noticed_now();
        }
        return command_.outcome(watch_ ? &watch_->stamps() : nullptr);
    }

    /// How long the device worked on the command, from its start to its end; empty before it is
    /// over, when it failed, and on a queue without profiling.
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

    /// The event in the terms of the Khronos bindings, for wait lists.
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

    /// Flushes the queue, since a command that stays in it would never be seen to end. User events
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
