// SPDX-License-Identifier: Apache-2.0
// Binds a kernel to its arguments, as the callable of an opencl_executor.
#pragma once

#include <concepts>
#include <tuple>
#include <utility>

#include "pointsman/resource/opencl/event.hpp"
#include "pointsman/resource/opencl/kernel.hpp"
#include "pointsman/resource/opencl/queue.hpp"
#include "pointsman/resource/opencl/work_size.hpp"

namespace pointsman::opencl {

/// A callable for an `opencl_executor`: enqueues work of the given size on a queue and returns its event.
/// A lambda can do this, as can a `kernel_call`.
template <class F>
concept kernel_callable =
    std::invocable<F&, const queue&, const work_size&> &&
    std::convertible_to<std::invoke_result_t<F&, const queue&, const work_size&>, event>;

/// A kernel and copies of its arguments: the callable of an `opencl_executor`. Each work item is an
/// agent, whose index is its `get_global_id`.
/// **Thread safety**: that of `kernel`.
/// **Example**: `bulk_execute(opencl_executor<>{queue}, opencl::kernel_call{twice, buffer, 2.0f}, n);`
template <std::convertible_to<kernel_argument>... Arguments>
class kernel_call {
  public:
    explicit kernel_call(kernel function, Arguments... arguments)
        : kernel_{std::move(function)}, arguments_{std::move(arguments)...} {}

    /// Enqueues the kernel. **Throws**: as `queue::enqueue`.
    event operator()(const queue& where, const work_size& size) const {
        return std::apply(
            [&](const Arguments&... given) { return where.enqueue(kernel_, size, given...); },
            arguments_);
    }

  private:
    kernel kernel_;
    std::tuple<Arguments...> arguments_;
};

static_assert(kernel_callable<const kernel_call<float>>);

}  // namespace pointsman::opencl
