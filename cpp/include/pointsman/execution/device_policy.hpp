// SPDX-License-Identifier: Apache-2.0
// The execution policy that runs algorithms on the device of an OpenCL queue.
#pragma once

#include <concepts>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "pointsman/execution/is_execution_policy.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman {
namespace execution {

/// The default `KernelName` of a `device_policy`.
struct unnamed_kernel {};

namespace detail {

/// A queue that is created on first use.
class lazy_queue {
  public:
    lazy_queue() = default;
    explicit lazy_queue(opencl::queue queue) : queue_{std::move(queue)} {}

    /// **Throws**: `opencl::error` if there is no device; the next call tries again.
    [[nodiscard]] const opencl::queue& get() {
        std::call_once(made_, [this] {
            if (!queue_) {
                queue_.emplace();
            }
        });
        return *queue_;
    }

  private:
    std::once_flag made_;
    std::optional<opencl::queue> queue_;
};

}  // namespace detail

/// Runs algorithms on the device of an `opencl::queue`. Copies share the queue, even under another
/// kernel name; a moved-from policy keeps it. OpenCL needs no kernel names: `KernelName` distinguishes
/// policies in code that is written for several libraries.
///
/// **Thread safety**: a value; any thread.
/// Source: *Device Execution Policies* in the execution policies document, with OpenCL in the role of
/// SYCL.
template <class KernelName = unnamed_kernel>
class device_policy {
  public:
    using kernel_name = KernelName;

    /// Uses a queue on the first of `opencl::devices()`. The queue is created when first needed, so a
    /// program without a driver can start.
    device_policy() : queue_{std::make_shared<detail::lazy_queue>()} {}
    /// Shares the queue of `other` under another kernel name.
    template <class OtherName>
    device_policy(const device_policy<OtherName>& other) noexcept : queue_{other.queue_} {}
    explicit device_policy(opencl::queue queue)
        : queue_{std::make_shared<detail::lazy_queue>(std::move(queue))} {}
    /// Uses a new queue on `device`. **Throws**: `opencl::error`.
    explicit device_policy(const opencl::device& device) : device_policy{opencl::queue{device}} {}

    // Declared, so that moving copies: a moved-from policy keeps its queue.
    device_policy(const device_policy&) noexcept = default;
    device_policy& operator=(const device_policy&) noexcept = default;
    ~device_policy() = default;

    /// **Throws**: `opencl::error` if the default queue cannot be created.
    [[nodiscard]] opencl::queue queue() const { return queue_->get(); }
    operator opencl::queue() const { return queue(); }

  private:
    template <class OtherName>
    friend class device_policy;

    std::shared_ptr<detail::lazy_queue> queue_;
};

/// Runs algorithms on the first of `opencl::devices()`.
/// Source: *Predefined Device Policy* in the execution policies document.
inline const device_policy<> opencl_default;

}  // namespace execution

template <class KernelName>
struct is_execution_policy<execution::device_policy<KernelName>> : std::true_type {};

namespace execution {

/// Returns a policy on `queue`.
/// Source: *make_device_policy Function* in the execution policies document.
template <class KernelName = unnamed_kernel>
[[nodiscard]] device_policy<KernelName> make_device_policy(opencl::queue queue) {
    return device_policy<KernelName>{std::move(queue)};
}
/// Returns a policy on a new queue on `device`. **Throws**: `opencl::error`.
template <class KernelName = unnamed_kernel>
[[nodiscard]] device_policy<KernelName> make_device_policy(const opencl::device& device) {
    return device_policy<KernelName>{device};
}
/// Returns a policy that shares the queue of `policy` under another kernel name.
template <class NewKernelName, class OldKernelName = unnamed_kernel>
[[nodiscard]] device_policy<NewKernelName> make_device_policy(
    const device_policy<OldKernelName>& policy = opencl_default) {
    return device_policy<NewKernelName>{policy};
}

namespace detail {
template <class P>
inline constexpr bool is_device_policy = false;
template <class KernelName>
inline constexpr bool is_device_policy<device_policy<KernelName>> = true;
}  // namespace detail

/// A `device_policy` or a reference to one, const or not.
template <class P>
concept on_device = detail::is_device_policy<std::remove_cvref_t<P>>;

}  // namespace execution
}  // namespace pointsman
