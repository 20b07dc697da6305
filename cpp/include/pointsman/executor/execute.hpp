// SPDX-License-Identifier: Apache-2.0
// The customisation point execute: calls a function once, on one agent of an executor.
#pragma once

#include <utility>

#include "pointsman/executor/executor.hpp"

namespace pointsman {
namespace detail::execute_impl {

struct function {
    /// Calls `f` once, on one agent of `executor`, and discards its result. Use it for a single task,
    /// `bulk_execute` for a loop. An executor that always blocks returns nothing, after `f` has
    /// finished; any other returns a handle to wait for.
    /// **Throws**: what `f` throws, if the executor blocks; otherwise the handle's wait throws it.
    /// **Thread safety**: that of the executor; pointsman's own may be used from any thread.
    /// **Cost**: that of the executor's member `execute`, or of a free `execute(executor, f)`.
    /// **Example**: `execute(inline_executor<>{}, [] { std::puts("done"); });`
    /// Source: *Executor Design* in the executor document.
    template <class Executor, class F>
    constexpr decltype(auto) operator()(const Executor& executor, F&& f) const {
        static_assert(executor_of<Executor, F>,
                      "pointsman::execute: this executor cannot run this callable: pass a function "
                      "without arguments, or a callable like the executor's callable_type, and "
                      "an executor that can be copied and compared and has an execute(f)");
        if constexpr (by_member<Executor, F>) {
            return executor.execute(std::forward<F>(f));
        } else if constexpr (by_function<Executor, F>) {
            return execute(executor, std::forward<F>(f));
        }
    }
};

}  // namespace detail::execute_impl

/// Runs a callable on an executor: `execute(executor, f)`.
inline constexpr detail::execute_impl::function execute{};

}  // namespace pointsman
