// SPDX-License-Identifier: Apache-2.0
// Runs kernels on an OpenCL queue; a placeholder if OpenCL's headers are missing.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_properties.hpp"
#include "pointsman/executor/executor_traits.hpp"

#ifndef POINTSMAN_WITHOUT_OPENCL
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "pointsman/executor/kernel_call.hpp"
#include "pointsman/property/occupancy.hpp"
#include "pointsman/property/outstanding_work.hpp"

namespace pointsman {

namespace detail {
/// A queue on the first device, for executors constructed without a queue.
[[nodiscard]] inline const opencl::queue& shared_queue() {
    static const opencl::queue first_device;
    return first_device;
}
}  // namespace detail

/// Runs kernels on an `opencl::queue`, which is its context. Its callables are kernels: an
/// `opencl::kernel_call`, or any function that enqueues work of a given size on a queue and returns the
/// event. Its shape is a `work_size`: global and optionally local extents in up to three dimensions; a
/// plain number is one dimension. Each work item is an agent. If it does not block, the handle is the
/// command's `opencl::event`.
///
/// Executors constructed without a queue share one on the first device. It is opened on first use, so a
/// program without a driver can start.
/// **Thread safety**: threads may share one object, but not while one of them assigns to it.
/// **Cost**: that of an enqueue, and of a wait if it always blocks; no allocation.
/// **Example**: `bulk_execute(opencl_executor<>{}, opencl::kernel_call{blur, image}, {{640, 480}, {16, 16}});`
/// Source: *Executor Design* in the executor document, where CUDA has this role.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class opencl_executor
    : public executor_properties<opencl_executor, Blocking, ProtoAllocator, blocking_t::always_t,
                                 blocking_t::never_t, blocking_t::possibly_t> {
    using base =
        executor_properties<pointsman::opencl_executor, Blocking, ProtoAllocator,
                            blocking_t::always_t, blocking_t::never_t, blocking_t::possibly_t>;

  public:
    /// Has the signature that every callable must have.
    struct callable_type {
        opencl::event operator()(const opencl::queue&, const opencl::work_size&) const {
            return {};
        }
    };
    using shape_type = opencl::work_size;
    using index_type = std::array<std::size_t, 3>;
    static constexpr std::string_view name = "opencl";
    static constexpr int priority = 50;

    using base::query;
    using base::require;

    /// Uses the queue that all executors constructed this way share.
    opencl_executor() = default;
    explicit opencl_executor(const ProtoAllocator& proto) : base{proto} {}
    /// Uses the given queue.
    explicit opencl_executor(opencl::queue where, const ProtoAllocator& proto = {})
        : base{proto}, queue_{std::move(where)} {}

    /// Runs one work item. **Throws**: `opencl::error`, here or from the event's wait.
    template <class F>
        requires opencl::kernel_callable<std::remove_reference_t<F>>
    auto execute(F&& kernel) const {
        return bulk_execute(kernel, shape_type{1});
    }

    /// Runs a work item for each index of `size`, which may be empty.
    /// **Throws**: `opencl::error`, here or from the event's wait; what `kernel` throws.
    template <class F>
        requires opencl::kernel_callable<std::remove_reference_t<F>>
    auto bulk_execute(F&& kernel, const shape_type& size) const {
        const opencl::event done =
            is_empty(size) ? opencl::event{} : opencl::event{kernel(context(), size)};
        if constexpr (std::is_same_v<Blocking, blocking_t::always_t>) {
            done.wait();
        } else {
            return done;
        }
    }

    /// **Throws**: `opencl::error` if there is no device for the shared queue.
    [[nodiscard]] const opencl::queue& context() const {
        return queue_ ? *queue_ : detail::shared_queue();
    }
    [[nodiscard]] static constexpr mapping_t::other_t query(const mapping_t&) noexcept {
        return {};
    }
    /// The device's compute units. **Throws**: as `context`.
    [[nodiscard]] std::size_t query(const occupancy_t&) const {
        return context().device().compute_units();
    }

    [[nodiscard]] outstanding_work_t query(const outstanding_work_t&) const noexcept {
        return tracked_ ? outstanding_work.tracked.value() : outstanding_work.untracked.value();
    }
    /// While a tracked executor exists, `wait()` of its queue, or of a copy of the queue, does not
    /// return. **Throws**: as `context`.
    [[nodiscard]] opencl_executor require(const outstanding_work_t::tracked_t&) const {
        auto changed = *this;
        changed.tracked_ = context().hold_open();
        return changed;
    }
    [[nodiscard]] opencl_executor require(const outstanding_work_t::untracked_t&) const {
        auto changed = *this;
        changed.tracked_ = {};
        return changed;
    }

    /// A copy with other properties.
    template <class OtherBlocking, class OtherAllocator>
    [[nodiscard]] opencl_executor<OtherBlocking, OtherAllocator> rebind(
        const OtherAllocator& proto) const {
        using other = opencl_executor<OtherBlocking, OtherAllocator>;
        const auto changed = queue_ ? other{*queue_, proto} : other{proto};
        return tracked_ ? changed.require(outstanding_work.tracked) : changed;
    }

    friend bool operator==(const opencl_executor&, const opencl_executor&) = default;

  private:
    static bool is_empty(const shape_type& size) {
        const auto extents = size.extents();
        return extents[0] == 0 || extents[1] == 0 || extents[2] == 0;
    }

    std::optional<opencl::queue> queue_;
    opencl::queue::hold_type tracked_;  // empty if untracked
};

using default_opencl_executor = opencl_executor<>;

static_assert(executor<default_opencl_executor> &&
              is_executor_available_v<default_opencl_executor>);

}  // namespace pointsman

#else

namespace pointsman {

/// Placeholder in a program compiled without OpenCL: it can be named, but running work on it does not
/// compile.
template <class Blocking = blocking_t::always_t, class ProtoAllocator = std::allocator<void>>
class opencl_executor : public detail::not_compiled_in {
  public:
    static constexpr std::string_view name = "opencl";
    static constexpr std::string_view remedy = "install OpenCL's headers and configure again";
    static constexpr int priority = 50;

    template <class F>
    void execute(F&&) const {
        refuse<F>();
    }
    template <class F, class Shape>
    void bulk_execute(F&&, const Shape&) const {
        refuse<F>();
    }

  private:
    template <class F>
    static constexpr void refuse() {
        static_assert(sizeof(F) == 0,
                      "opencl_executor was not compiled in: install OpenCL's headers and configure "
                      "with POINTSMAN_OPENCL=ON, or use it only where is_executor_available_v is "
                      "true");
    }
};

using default_opencl_executor = opencl_executor<>;

static_assert(executor<default_opencl_executor> &&
              !is_executor_available_v<default_opencl_executor>);

}  // namespace pointsman

#endif
