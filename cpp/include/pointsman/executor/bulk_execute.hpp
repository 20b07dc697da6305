// SPDX-License-Identifier: Apache-2.0
// The customisation point bulk_execute: calls a function for each index of a shape, on many agents.
#pragma once

#include <concepts>
#include <utility>

#include "pointsman/executor/execute.hpp"
#include "pointsman/executor/executor_shape.hpp"
#include "pointsman/property/blocking.hpp"
#include "pointsman/property/query.hpp"

namespace pointsman {
namespace detail::bulk_execute_impl {

void bulk_execute() = delete;  // hides the object of the same name from argument-dependent lookup

template <class E, class F, class S>
concept by_member =
    requires(const E& e, F&& f, const S& shape) { e.bulk_execute(static_cast<F &&>(f), shape); };
template <class E, class F, class S>
concept by_function =
    requires(const E& e, F&& f, const S& shape) { bulk_execute(e, static_cast<F &&>(f), shape); };

template <class E>
consteval bool always_blocks() {
    if constexpr (requires { static_query_v<E, blocking_t>; }) {
        return static_query_v<E, blocking_t> == blocking_t::always;
    } else {
        return false;
    }
}
/// True if agents can be created one by one: all are complete when the last `execute` returns.
template <class E, class S>
concept one_by_one = std::integral<S> && always_blocks<E>();

struct function {
    /// Calls `f(index)` once for each index of `shape`, on agents that `executor` creates together. Use
    /// it for loops whose iterations do not depend on one another. An executor that always blocks
    /// returns nothing, after all agents have finished; any other returns a handle and keeps a copy of
    /// `f`.
    /// **Throws**: the first exception of an agent, after all agents have stopped: here, or from the
    /// handle's wait. Agents that had not started may be skipped.
    /// **Thread safety**: `f` is called by several threads at a time, or by one thread in any order.
    /// **Cost**: that of the executor's member `bulk_execute`, or of a free one in its namespace. If it
    /// has neither and always blocks, its `execute` is called for one index after the other.
    /// **Example**: `bulk_execute(executor, [&](std::size_t i) { y[i] += a * x[i]; }, y.size());`
    /// Source: *Executor Design* in the executor document.
    template <class Executor, class F>
    constexpr decltype(auto) operator()(const Executor& executor, F&& f,
                                        const executor_shape_t<Executor>& shape) const {
        using shape_type = executor_shape_t<Executor>;
        if constexpr (by_member<Executor, F, shape_type>) {
            return executor.bulk_execute(std::forward<F>(f), shape);
        } else if constexpr (by_function<Executor, F, shape_type>) {
            return bulk_execute(executor, std::forward<F>(f), shape);
        } else {
            static_assert(
                one_by_one<Executor, shape_type>,
                "pointsman::bulk_execute: this executor cannot run this bulk work: give it "
                "a bulk_execute(f, shape), or make its blocking always, so that its "
                "execute can run one agent after the other");
            for (shape_type index = 0; index < shape; ++index) {
                pointsman::execute(executor,
                                   [&] { f(static_cast<executor_index_t<Executor>>(index)); });
            }
        }
    }
};

}  // namespace detail::bulk_execute_impl

/// Runs a callable for each index of a shape: `bulk_execute(executor, f, shape)`.
inline constexpr detail::bulk_execute_impl::function bulk_execute{};

}  // namespace pointsman
