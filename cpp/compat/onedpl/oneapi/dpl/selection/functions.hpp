// SPDX-License-Identifier: Apache-2.0
// The free functions, for pointsman's policies and for user-defined ones.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>

#include "pointsman/fwd.hpp"
#include "pointsman/info/unwrap.hpp"
#include "pointsman/info/wait.hpp"
#include "pointsman/policy/selection.hpp"
#include "pointsman/selection/submit.hpp"

/// No template here is constrained: if an unqualified call also finds pointsman's function of the same
/// name, that one is more constrained and is chosen.
namespace oneapi::dpl::experimental {

using pointsman::deferred_initialization;
using pointsman::deferred_initialization_t;
using pointsman::unwrap;
using pointsman::wait;

/// Returns the resources that `p` chooses from.
template <class Policy>
auto get_resources(Policy&& p) {
    return p.get_resources();
}

/// Returns an object whose `wait()` blocks until all submissions of `p` so far are complete.
template <class Policy>
auto get_submission_group(Policy&& p) {
    return p.get_submission_group();
}

/// Selects without submitting; see `pointsman::select`.
template <class Policy, class... Args>
auto select(Policy&& p, Args&&... args) {
    return p.select(std::forward<Args>(args)...);
}

/// Calls `f(resource, args...)` on a free resource; returns an empty optional if none is free.
template <class Policy, class F, class... Args>
auto try_submit(Policy&& p, F&& f, Args&&... args) {
    return p.try_submit(std::forward<F>(f), std::forward<Args>(args)...);
}

/// Calls `f(resource, args...)` on the resource of the selection `t`, or on one that the policy `t`
/// chooses, and does not wait for the work. For a policy without `submit(f, args...)` it is derived
/// from `try_submit`, or from `select` and `submit(selection, f, args...)`.
template <class T, class F, class... Args>
auto submit(T&& t, F&& f, Args&&... args) {
    if constexpr (pointsman::selection<std::remove_reference_t<T>>) {
        return pointsman::submit(std::forward<T>(t), std::forward<F>(f),
                                 std::forward<Args>(args)...);
    } else if constexpr (requires { t.submit(std::forward<F>(f), std::forward<Args>(args)...); }) {
        return t.submit(std::forward<F>(f), std::forward<Args>(args)...);
    } else if constexpr (requires { t.submit(t.select(f, args...), f, args...); }) {
        return t.submit(t.select(f, args...), std::forward<F>(f), std::forward<Args>(args)...);
    } else {
        for (auto pause = std::chrono::microseconds{50};;
             pause = std::min(2 * pause, std::chrono::microseconds{5000})) {
            if (auto submission = t.try_submit(f, args...)) {
                return std::move(*submission);
            }
            std::this_thread::sleep_for(pause);
        }
    }
}

/// Submits to a policy or a selection and waits until the work is complete.
template <class T, class F, class... Args>
void submit_and_wait(T&& t, F&& f, Args&&... args) {
    if constexpr (requires {
                      t.submit_and_wait(std::forward<F>(f), std::forward<Args>(args)...);
                  }) {
        t.submit_and_wait(std::forward<F>(f), std::forward<Args>(args)...);
    } else {
        wait(experimental::submit(std::forward<T>(t), std::forward<F>(f),
                                  std::forward<Args>(args)...));
    }
}

}  // namespace oneapi::dpl::experimental
