// SPDX-License-Identifier: Apache-2.0
// Runs work on the first usable executor of a list, in the order of the list or by priority.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/executor/executor_priority.hpp"
#include "pointsman/executor/runtime_checks.hpp"

namespace pointsman {

namespace detail {

template <class Result, class Checks, class F>
[[noreturn]] Result call_on_first(const Checks&, F&, const std::string& refusals) {
    throw no_executor_fits{refusals};
}
template <class Result, class Checks, class F, class Executor, class... Rest>
Result call_on_first(const Checks& checks, F& f, std::string refusals, const Executor& executor,
                     const Rest&... rest) {
    if constexpr (takes<F, Checks, Executor>()) {
        const auto fit = verdict_of(checks, executor);
        if (fit) {
            return f(*fit);
        }
        refusals += refusal_line<Executor>(fit.reason());
    } else {
        refusals += refusal_line<Executor>(reason_when_compiled<Executor>());
    }
    return call_on_first<Result>(checks, f, std::move(refusals), rest...);
}

/// The indices of executors by descending priority; equal priorities keep their order.
template <class... Executors>
consteval auto descending_order() {
    constexpr std::array<int, sizeof...(Executors)> priorities{executor_priority_v<Executors>...};
    std::array<std::size_t, sizeof...(Executors)> order{};
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::size_t rank = i;
        for (; rank > 0 && priorities[order[rank - 1]] < priorities[i]; --rank) {
            order[rank] = order[rank - 1];
        }
        order[rank] = i;
    }
    return order;
}

template <class... Executors>
inline constexpr auto descending_order_v = descending_order<Executors...>();

template <class Result, class Checks, class F, std::size_t... Is, class... Executors>
Result call_in_order(const Checks& checks, F& f, std::index_sequence<Is...>,
                     const Executors&... executors) {
    const auto all = std::tie(executors...);
    return call_on_first<Result>(checks, f, std::string{},
                                 std::get<descending_order_v<Executors...>[Is]>(all)...);
}

/// Calls `g(executors...)`. The second overload takes the executors as one tuple.
template <class G, class... Executors>
decltype(auto) with_list(G&& g, const Executors&... executors) {
    static_assert(sizeof...(Executors) > 0,
                  "there is no executor to choose from: pass at least one, such as "
                  "inline_executor<>{}, after the function (best_fit: after the size)");
    return g(executors...);
}
template <class G, class... Executors>
decltype(auto) with_list(G&& g, const std::tuple<Executors...>& executors) {
    static_assert(sizeof...(Executors) > 0,
                  "there is no executor to choose from: pass at least one, such as "
                  "inline_executor<>{}, after the function (best_fit: after the size)");
    return std::apply(g, executors);
}

}  // namespace detail

/// Calls `f(executor)` with the first of `executors` that was compiled in, that `f` can be called with,
/// and that `checks` accept; `executors` may also be one tuple. Use it if you know which executor is
/// best, `best_fit` to measure it.
/// **Throws**: `no_executor_fits`, with the reason why each executor was refused; what `f` throws.
/// **Thread safety**: that of `checks` and `f`.
/// **Cost**: that of the checks: looking up one environment variable for each executor tried, plus
/// user-defined ones.
/// **Example**: `enable_exec_with_priority(filter, openmp_executor<>{}, inline_executor<>{});`
/// Source: *Best Fit Executor* in the executor document.
template <runtime_checks Checks, class F, class... Executors>
decltype(auto) enable_exec_with_priority(const Checks& checks, F&& f,
                                         const Executors&... executors) {
    return detail::with_list(
        [&]<class... Es>(const Es&... listed) -> detail::result_on_t<F, Checks, Es...> {
            return detail::call_on_first<detail::result_on_t<F, Checks, Es...>>(
                checks, f, std::string{}, listed...);
        },
        executors...);
}
/// Like the overload above, with the checks of `executor_runtime_checks`.
template <class F, class... Executors>
    requires(!runtime_checks<F>)
decltype(auto) enable_exec_with_priority(F&& f, const Executors&... executors) {
    return pointsman::enable_exec_with_priority(executor_runtime_checks{}, f, executors...);
}

/// Like `enable_exec_with_priority`, but tries the executors by descending `executor_priority_v`,
/// regardless of the order of the arguments.
template <runtime_checks Checks, class F, class... Executors>
decltype(auto) enable_exec_on_desc_priority(const Checks& checks, F&& f,
                                            const Executors&... executors) {
    return detail::with_list(
        [&]<class... Es>(const Es&... listed) -> detail::result_on_t<F, Checks, Es...> {
            return detail::call_in_order<detail::result_on_t<F, Checks, Es...>>(
                checks, f, std::index_sequence_for<Es...>{}, listed...);
        },
        executors...);
}
/// Like the overload above, with the checks of `executor_runtime_checks`.
template <class F, class... Executors>
    requires(!runtime_checks<F>)
decltype(auto) enable_exec_on_desc_priority(F&& f, const Executors&... executors) {
    return pointsman::enable_exec_on_desc_priority(executor_runtime_checks{}, f, executors...);
}

}  // namespace pointsman
