// SPDX-License-Identifier: Apache-2.0
// An OpenCL command queue as a resource that policies choose from.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pointsman/base/timing_scope.hpp"
#include "pointsman/clock.hpp"
#include "pointsman/resource/hold.hpp"
#include "pointsman/resource/opencl/api.hpp"
#include "pointsman/resource/opencl/context.hpp"
#include "pointsman/resource/opencl/detail/buffer_pool.hpp"
#include "pointsman/resource/opencl/detail/command.hpp"
#include "pointsman/resource/opencl/detail/completion.hpp"
#include "pointsman/resource/opencl/detail/driver_mark.hpp"
#include "pointsman/resource/opencl/detail/owned.hpp"
#include "pointsman/resource/opencl/detail/program_cache.hpp"
#include "pointsman/resource/opencl/detail/single_contexts.hpp"
#include "pointsman/resource/opencl/detail/staging.hpp"
#include "pointsman/resource/opencl/detail/stamp_check.hpp"
#include "pointsman/resource/opencl/device.hpp"
#include "pointsman/resource/opencl/device_list.hpp"
#include "pointsman/resource/opencl/error.hpp"
#include "pointsman/resource/opencl/event.hpp"
#include "pointsman/resource/opencl/kernel.hpp"
#include "pointsman/resource/opencl/program.hpp"
#include "pointsman/resource/opencl/work_size.hpp"
#include "pointsman/tuning/domain.hpp"

namespace pointsman::opencl {

/// How the work of an algorithm is distributed over work items.
enum class item_work : std::uint8_t {
    by_device,  ///< `alone` on devices without local memory, such as CPUs, otherwise `in_groups`
    alone,      ///< each work item has its own share of the values
    in_groups,  ///< the work items of a work group work on neighbouring values
};

struct queue_options {
    bool profiling = true;      ///< commands carry timestamps, so that their times are exact
    bool out_of_order = false;  ///< commands may overtake one another; those of an algorithm do not
    item_work items = item_work::by_device;
};

/// A command queue on one device: a handle, equal to its copies. It replaces `sycl::queue` of the
/// source documents.
///
/// Commands enqueued through it are handed to the device at once. Dropping the last handle lets queued
/// commands run to completion.
///
/// Drivers do not survive a fork: in a child forked after the first use of OpenCL every call throws
/// `forked_process`. Destroying objects that the parent made is harmless there.
/// **Thread safety**: any member except assignment may be called from any thread.
/// **Example**:
///
///     pointsman::opencl::queue q;
///     auto twice = q.build(source).kernel("twice");
///     auto done = q.enqueue(twice, n, buffer, 2.0f);
///     done.wait();
class queue {
  public:
    /// A queue on the first device of `devices()`.
    /// **Throws**: `opencl::error` when there is no device.
    queue() : queue{first_device()} {}

    /// A new queue in the device's shared context.
    /// **Throws**: `opencl::error`, e.g. when the device cannot run commands out of order.
    explicit queue(const opencl::device& device, queue_options options = {})
        : queue{device, detail::translated([&] {
                    return cl::CommandQueue{context_of(device), device.handle(),
                                            properties(options)};
                }),
                options.items} {}

    /// Wraps an existing queue, in its own context.
    /// **Throws**: `opencl::error`; `forked_process`, before any call to the driver.
    explicit queue(const cl::CommandQueue& handle)
        : queue{device_of(handle), handle, item_work::by_device} {}

    [[nodiscard]] const opencl::device& device() const noexcept { return state_->device; }
    /// The hardware that the queue shares with other queues of the device and, on a CPU, with arenas.
    [[nodiscard]] pointsman::domain domain() const { return device().domain(); }
    /// **Throws**: `forked_process`.
    [[nodiscard]] const cl::Context& context() const {
        detail::check_not_forked();
        return state_->context;
    }
    [[nodiscard]] bool has_profiling() const noexcept {
        return (state_->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    }
    /// Returns true if the queue has profiling: the times of commands are then as exact as the driver's
    /// timestamps.
    [[nodiscard]] bool reports_exact_times() const noexcept { return has_profiling(); }
    [[nodiscard]] bool is_out_of_order() const noexcept {
        return (state_->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    }
    /// Returns true if each work item of an algorithm has its own share of the values; see `item_work`.
    [[nodiscard]] bool items_work_alone() const noexcept { return state_->items_work_alone; }
    /// The queue as an object of the Khronos bindings.
    [[nodiscard]] const cl::CommandQueue& handle() const noexcept { return state_->handle; }

    /// Returns the program built from `source` for this queue's device. A program of the same source
    /// and options that was used recently is not built again.
    /// **Throws**: `build_error` with the compiler's log; `opencl::error`.
    [[nodiscard]] program build(const std::string& source, const std::string& options = {}) const {
        return detail::program_cache::instance().get(context(), device().handle(), source, options);
    }

    /// Memory of at least `size_bytes` on the device, with undefined contents, for commands of this
    /// queue. Released memory is reused: up to an eighth of the device's memory is kept during the
    /// queue's lifetime.
    /// **Throws**: `opencl::error`.
    /// **Cost**: a search under a lock; an allocation if no kept memory has the size.
    /// **Example**:
    ///
    ///     const auto sums = q.take_buffer(n * sizeof(float));
    ///     q.enqueue(add_up, n, x, sums.handle());
    [[nodiscard]] pooled_buffer take_buffer(std::size_t size_bytes) const {
        detail::check_not_forked();
        return detail::translated(
            [&] {
                return pooled_buffer{std::shared_ptr<detail::buffer_pool>{state_, &state_->buffers},
                                     size_bytes};
            },
            [&] { return "a buffer of " + std::to_string(size_bytes) + " bytes: "; });
    }
    /// Frees the memory kept for `take_buffer`, for other users of the device.
    void release_kept_buffers() const {
        detail::check_not_forked();
        state_->buffers.clear();
    }
    /// Forgets what was made in the queue's context, for when that may be lost: the programs that `build` keeps for
    /// all queues of the context, and this queue's memory of `take_buffer` and of staged transfers, and its
    /// queue `transfers()`. All are made again at their next use; memory that is in use, and your own programs and
    /// buffers, are not. A new queue of the device gets another context if no command runs in this one any more (but
    /// not in a context of `share_context`). Returns a sentence that says so.
    /// **Throws**: `forked_process`.
    std::string forget_context() const {
        const std::size_t programs = detail::program_cache::instance().forget(context());
        detail::single_contexts::instance().suspect(context());
        const std::size_t kept_bytes = state_->buffers.clear();
        state_->staged.clear();
        std::shared_ptr<const state> transfers;  // destroyed without the lock
        {
            const std::lock_guard lock{state_->making_transfers};
            transfers = std::exchange(state_->transfers, nullptr);
        }
        return "the context of the queue may be lost: " + std::to_string(programs) +
               (programs == 1 ? " program is" : " programs are") + " built again and " +
               std::to_string(kept_bytes) +
               " bytes of kept memory allocated again when they are needed; buffers and programs "
               "that you made in it must be made again";
    }
    /// Called by a policy that puts the queue in quarantine because of `error`: forgets its context after an
    /// `opencl::error` that is a failure of the device, context or queue. Returns what was lost; else an empty text.
    std::string after_failure(const std::exception_ptr& error) const {
        try {
            std::rethrow_exception(error);
        } catch (const opencl::error& failure) {
            return failure.is_resource_failure() ? forget_context() : std::string{};
        } catch (...) {
            return {};
        }
    }
    /// Another in-order queue of the same device and context. Its transfers wait for no command of this
    /// queue, so they overlap with kernels of this queue. Made at the first call and kept.
    /// **Throws**: `opencl::error`.
    [[nodiscard]] queue transfers() const {
        detail::check_not_forked();
        const std::lock_guard lock{state_->making_transfers};
        if (!state_->transfers) {
            state_->transfers = queue{device(), detail::translated([&] {
                                          return cl::CommandQueue{context(), device().handle()};
                                      }),
                                      item_work::by_device}
                                    .state_;
        }
        return queue{state_->transfers};
    }
    /// The pinned memory of `write_staged` and `read_staged`.
    [[nodiscard]] detail::staging& staging() const noexcept { return state_->staged; }

    /// Runs `kernel` over `size` work items with `arguments` (see `kernel_argument`).
    /// **Throws**: `invalid_option` for the wrong number of arguments; `opencl::error`.
    template <std::convertible_to<kernel_argument>... Arguments>
    event enqueue(const kernel& kernel, const work_size& size,
                  const Arguments&... arguments) const {
        const std::array<kernel_argument, sizeof...(Arguments)> list{kernel_argument(arguments)...};
        return enqueue_kernel(list, kernel, size, nullptr);
    }
    /// Like `enqueue`, with a list of arguments made at run time, after each event of `wait_for` has
    /// completed; the events may come from other queues of the context.
    event enqueue_with(std::span<const kernel_argument> arguments, const kernel& kernel,
                       const work_size& size, const std::vector<cl::Event>& wait_for = {}) const {
        return enqueue_kernel(arguments, kernel, size, wait_for.empty() ? nullptr : &wait_for);
    }

    /// Like `enqueue_with`, for callers that wait for the queue or a later command: no event of the kernel is made,
    /// which takes NVIDIA's driver longer than to start the kernel.
    /// **Throws**: as `enqueue`.
    void start_with(std::span<const kernel_argument> arguments, const kernel& kernel,
                    const work_size& size) const {
        detail::check_not_forked();
        detail::command compiled;
        kernel.with_arguments(arguments, size, [&](const cl::Kernel& ready, bool is_new_size) {
            cl::Event* const done = may_compile(is_new_size) ? &compiled.event : nullptr;
            detail::translated(
                [&] {
                    about_to_start(compiled);
                    handle().enqueueNDRangeKernel(ready, cl::NullRange, size.global, size.local,
                                                  nullptr, done);
                    flush_if_needed();
                },
                [&] { return description(kernel, size); });
        });
        if (compiled.event() != nullptr) [[unlikely]] {
            detail::callback_table::instance().await_start_at_exit(compiled);
        }
    }

    /// Enqueues any other command: `command(commands, done)` enqueues it on the Khronos queue
    /// `commands` and has its event written to `*done`. It may enqueue other commands before and block on
    /// them. The end time of the command is exact only if `command` returns within 50 us.
    /// **Throws**: `opencl::error` in place of a `cl::Error`; otherwise what `command` throws.
    template <std::invocable<const cl::CommandQueue&, cl::Event*> Command>
    event enqueue(Command&& command) const {
        detail::check_not_forked();
        event done{detail::command{}, state_->watch};
        detail::command& given = done.command_;
        enqueue_command(given, std::forward<Command>(command), [] { return std::string{}; });
        if (given.stamped == detail::timestamps::undated) {
            return done;
        }
        const auto returned = clock::now();
        if (returned - given.enqueued <= detail::stamp_check::tolerance) {
            confirm_stamps(given);
        } else if (has_profiling()) {
            given.enqueued = returned;
            given.stamped = detail::timestamps::bound;
            given.check_stamps();
        }
        return done;
    }

    /// A marker that completes after all commands enqueued on the queue so far, by any thread or library.
    /// **Throws**: `opencl::error`.
    [[nodiscard]] event mark() const {
        detail::check_not_forked();
        const auto now = clock::now();
        cl::Event last;
        detail::translated([&] { handle().enqueueMarkerWithWaitList(nullptr, &last); });
        return event{std::move(last), now};
    }

    /// Blocks until all commands on the queue are complete, and no hold on it exists.
    /// **Throws**: `opencl::error`.
    void wait() const {
        detail::check_not_forked();
        state_->holds.await_none();
        detail::translated([&] { handle().finish(); });
    }

    /// Announces work to come: while the returned object or a copy of it exists, the `wait` of this
    /// handle and of its copies does not return. **Cost**: no allocation; an atomic operation for each
    /// copy.
    using hold_type = hold<std::shared_ptr<pointsman::detail::hold_count>>;
    [[nodiscard]] hold_type hold_open() const noexcept {
        return hold_type{std::shared_ptr<pointsman::detail::hold_count>{state_, &state_->holds}};
    }

    friend bool operator==(const queue& a, const queue& b) noexcept {
        return a.handle()() == b.handle()();
    }
    /// Prints the label of the device.
    friend std::ostream& operator<<(std::ostream& out, const queue& q) {
        return out << q.device().label();
    }

  private:
    struct state {
        state(opencl::device where, detail::owned<cl::CommandQueue> queue, item_work items)
            : device{std::move(where)},
              context{queue.getInfo<CL_QUEUE_CONTEXT>()},
              handle{std::move(queue)},
              properties{handle.getInfo<CL_QUEUE_PROPERTIES>()},
              noticed_by{detail::notice_for(device.handle())},
              needs_flush{detail::needs_flush(device.handle())},
              may_fail_alone{detail::may_fail_alone(device.handle())},
              items_work_alone{items == item_work::alone ||
                               (items == item_work::by_device &&
                                device.handle().getInfo<CL_DEVICE_LOCAL_MEM_TYPE>() == CL_GLOBAL)},
              buffers{handle, device.global_memory_bytes() / 8} {
            if ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) {
                watch = detail::watch_for(noticed_by);
            }
        }

        // In this order: the queue is destroyed first, and the group is notified last.
        opencl::device device;
        detail::owned<cl::Context> context;
        detail::owned<cl::CommandQueue> handle;
        cl_command_queue_properties properties;
        detail::notice noticed_by;
        bool needs_flush;
        bool may_fail_alone;
        bool items_work_alone;
        pointsman::detail::ref<detail::in_order_watch> watch;  // none if out of order
        mutable pointsman::detail::hold_count holds;
        mutable detail::buffer_pool buffers;
        mutable detail::staging staged;
        mutable std::mutex making_transfers;
        mutable std::shared_ptr<const state> transfers;
    };

    explicit queue(std::shared_ptr<const state> shared) : state_{std::move(shared)} {}

    static opencl::device device_of(const cl::CommandQueue& handle) {
        detail::check_not_forked();
        return detail::translated(
            [&] { return opencl::device{handle.getInfo<CL_QUEUE_DEVICE>()}; });
    }

    queue(const opencl::device& device, detail::owned<cl::CommandQueue> handle, item_work items)
        : state_{detail::translated([&] {
              detail::check_not_forked();
              return std::make_shared<state>(device, std::move(handle), items);
          })} {}

    event enqueue_kernel(std::span<const kernel_argument> arguments, const kernel& kernel,
                         const work_size& size, const std::vector<cl::Event>* wait_for) const {
        detail::check_not_forked();
        bool compiles = false;
        event done{detail::command{}, state_->watch};
        detail::command& given = done.command_;
        kernel.with_arguments(arguments, size, [&](const cl::Kernel& ready, bool is_new_size) {
            compiles = may_compile(is_new_size);
            enqueue_command(
                given,
                [&](const cl::CommandQueue& commands, cl::Event* event) {
                    commands.enqueueNDRangeKernel(ready, cl::NullRange, size.global, size.local,
                                                  wait_for, event);
                },
                [&] { return description(kernel, size); });
        });
        given.may_fail_alone = wait_for != nullptr || state_->may_fail_alone;
        confirm_stamps(given);
        if (compiles) [[unlikely]] {
            detail::callback_table::instance().await_start_at_exit(given);
        }
        return done;
    }

    /// Returns true if the driver may compile a kernel of a new size when it starts, for which a program must wait
    /// before it ends.
    [[nodiscard]] bool may_compile(bool is_new_size) const noexcept {
        return is_new_size && state_->noticed_by == detail::notice::callback;
    }

    template <class Command, class Describe>
    [[gnu::always_inline]] void enqueue_command(detail::command& given, Command&& command,
                                                Describe&& describe) const {
        detail::translated(
            [&] {
                about_to_start(given);
                std::forward<Command>(command)(handle(), &given.event);
                flush_if_needed();
            },
            std::forward<Describe>(describe));
    }

    void flush_if_needed() const {
        if (state_->needs_flush) {
            handle().flush();
        }
    }

    std::string description(const kernel& kernel, const work_size& size) const {
        return "starting kernel '" + kernel.name() + "' with " + size.text() + " on " +
               device().label() + ", which takes groups of at most " +
               std::to_string(device().max_work_group_size()) + " that divide the work items: ";
    }

    /// Called just before the enqueue. A polling watch needs the host time to schedule its polls.
    void about_to_start(detail::command& given) const noexcept {
        const bool is_dated = pointsman::detail::timing_scope::is_timed() ||
                              state_->noticed_by == detail::notice::polling;
        given.noticed_by = state_->noticed_by;
        if (has_profiling()) {
            given.stamped = is_dated ? detail::timestamps::exact : detail::timestamps::undated;
        }
        if (is_dated) {
            given.enqueued = clock::now();
        }
        if (state_->watch) {
            given.number = state_->watch->next_number();
        }
    }

    /// Called just after the enqueue of the command.
    void confirm_stamps(detail::command& given) const noexcept {
        if (given.stamped == detail::timestamps::none ||
            given.noticed_by == detail::notice::callback) {
            return;
        }
        if (state_->watch && state_->watch->stamps().is_set()) {
            given.stamped = detail::timestamps::unconfirmed;
        } else {
            given.check_stamps();
        }
    }

    static opencl::device first_device() {
        const auto found = devices();
        if (found.empty()) {
            std::string what =
                "no OpenCL device: install a driver (on Debian, pocl-opencl-icd runs on the CPU)";
            for (const std::string& warning : driver_warnings()) {
                what += "; " + warning;
            }
            throw error{CL_DEVICE_NOT_FOUND, what};
        }
        return found.front();
    }

    static cl_command_queue_properties properties(queue_options options) {
        return (options.profiling ? CL_QUEUE_PROFILING_ENABLE : 0U) |
               (options.out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0U);
    }

    std::shared_ptr<const state> state_;
};

}  // namespace pointsman::opencl
