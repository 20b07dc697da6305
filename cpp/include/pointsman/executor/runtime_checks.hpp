// SPDX-License-Identifier: Apache-2.0
// Checks at run time whether an executor can be used; user-defined checks may replace the executor.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_fit.hpp"
#include "pointsman/executor/executor_name.hpp"
#include "pointsman/executor/executor_switch.hpp"
#include "pointsman/executor/executor_traits.hpp"
#include "pointsman/executor/opencl_executor.hpp"

namespace pointsman {

/// The checks that `enable_exec_with_priority`, `enable_exec_on_desc_priority` and `best_fit` make before
/// they use an executor. An executor is refused if the environment switches it off
/// (`POINTSMAN_ENABLE_<NAME>_EXEC=OFF`), and an `opencl_executor` also if there is no device.
///
/// Derive from it to add checks, or to replace an executor by another one: write a `check` for the kinds
/// of executors concerned. The other kinds get the checks of this class.
/// **Thread safety**: any thread, while no thread changes the environment.
/// **Example**: limits every `openmp_executor` to two threads:
///
///     struct two_threads : pointsman::executor_runtime_checks {
///         template <pointsman::executor_instance_of<pointsman::openmp_executor> Executor>
///         pointsman::executor_fit<Executor> check(const Executor& executor) const {
///             auto fit = executor_runtime_checks::check(executor);
///             return fit ? Executor{2} : fit;
///         }
///     };
///
/// Source: *Best Fit Executor* in the executor document.
struct executor_runtime_checks {
    /// Returns `executor`, or why it is refused.
    /// **Throws**: `invalid_option` for an environment variable that is neither ON nor OFF.
    template <executor Executor>
    [[nodiscard]] executor_fit<Executor> check(const Executor& executor) const {
        const std::string name = executor_name<Executor>();
        if (!is_executor_switched_on(name)) {
            return executor_refusal{"switched off by " + executor_switch_name(name) +
                                    " in the "
                                    "environment: set it to ON"};
        }
        if constexpr (is_instance_of_v<Executor, opencl_executor>) {
            try {
                static_cast<void>(executor.context());
            } catch (const error& no_device) {
                return executor_refusal{dynamic_cast<const std::exception&>(no_device).what()};
            }
        }
        return executor;
    }
};

/// `executor_runtime_checks`, or a class derived from it.
template <class T>
concept runtime_checks = std::derived_from<std::remove_cvref_t<T>, executor_runtime_checks>;

namespace detail {
/// Returns the verdict of `checks`, or of their base class if they have no check for that executor.
template <class Checks, class Executor>
[[nodiscard]] auto verdict_of(const Checks& checks, const Executor& executor) {
    if constexpr (requires { checks.check(executor); }) {
        return checks.check(executor);
    } else {
        return executor_runtime_checks{}.check(executor);
    }
}
template <class Checks, class Executor>
using accepted_t = typename decltype(verdict_of(std::declval<const Checks&>(),
                                                std::declval<const Executor&>()))::executor_type;

/// Returns true if `f` can be called with the executor that the checks return for an `Executor`.
template <class F, class Checks, class Executor>
consteval bool takes() {
    if constexpr (is_executor_available_v<Executor>) {
        return std::invocable<F&, const accepted_t<Checks, Executor>&>;
    } else {
        return false;
    }
}

/// Returns why an executor cannot be used, regardless of the checks.
template <class Executor>
[[nodiscard]] std::string reason_when_compiled() {
    if constexpr (!is_executor_available_v<Executor>) {
        return "not compiled in: " + std::string{Executor::remedy};
    } else {
        return "the function cannot be called with it";
    }
}

/// Returns the line of `no_executor_fits` for one executor.
template <class Executor>
[[nodiscard]] std::string refusal_line(const std::string& reason) {
    return "  " + executor_name<Executor>() + ": " + reason + '\n';
}

/// The return type of `f`, whichever executor it is called with; `void` if it takes none.
template <class F, class Checks, class... Executors>
struct result_on {
    using type = void;
};
template <class F, class Checks, class Executor, class... Rest>
struct result_on<F, Checks, Executor, Rest...> : result_on<F, Checks, Rest...> {};
template <class F, class Checks, class Executor, class... Rest>
    requires(takes<F, Checks, Executor>())
struct result_on<F, Checks, Executor, Rest...> {
    using type = std::invoke_result_t<F&, const accepted_t<Checks, Executor>&>;
    template <class Other>
    static consteval bool agrees() {
        if constexpr (takes<F, Checks, Other>()) {
            return std::same_as<type, std::invoke_result_t<F&, const accepted_t<Checks, Other>&>>;
        } else {
            return true;
        }
    }
    static_assert((agrees<Rest>() && ...),
                  "the function returns different types on different executors: let it return one "
                  "type, such as void or a std::variant of the handles");
};
template <class F, class Checks, class... Executors>
using result_on_t = typename result_on<F, Checks, Executors...>::type;
}  // namespace detail

}  // namespace pointsman
