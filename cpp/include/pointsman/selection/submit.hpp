// SPDX-License-Identifier: Apache-2.0
// The free functions submit, try_submit and submit_and_wait, on policies and on selections.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>

#include "pointsman/info/wait.hpp"
#include "pointsman/policy/policy.hpp"
#include "pointsman/policy/selection.hpp"
#include "pointsman/submission/submit_options.hpp"

namespace pointsman {
namespace detail {
template <class S>
decltype(auto) policy_of(S& s) {
    if constexpr (requires { s.policy(); }) {
        return s.policy();
    } else {
        return s.get_policy();
    }
}

/// True if `p.submit(f, args...)` can be called. For a non-final class without `select`, any member named
/// `submit` is enough, so that the compiler explains what is wrong with the call; with `select`, the
/// `submit` might take only selections.
template <class P, class F, class... Args>
inline constexpr bool takes_submit_v = requires(P& p, F&& f, Args&&... args) {
    p.submit(std::forward<F>(f), std::forward<Args>(args)...);
};
template <class P, class F, class... Args>
    requires(derivable<P> && !selects_v<std::remove_const_t<P>>)
inline constexpr bool takes_submit_v<P, F, Args...> = submits_v<std::remove_const_t<P>>;

template <class P, class F, class... Args>
inline constexpr bool takes_try_submit_v = tries_to_submit_v<std::remove_const_t<P>>;
template <sealed P, class F, class... Args>
inline constexpr bool takes_try_submit_v<P, F, Args...> = requires(P& p, F&& f, Args&&... args) {
    p.try_submit(std::forward<F>(f), std::forward<Args>(args)...);
};

template <class P, class F, class... Args>
inline constexpr bool takes_submit_and_wait_v = requires(P& p, F&& f, Args&&... args) {
    p.submit_and_wait(std::forward<F>(f), std::forward<Args>(args)...);
};
template <class P, class F, class... Args>
    requires(derivable<P> && !selects_v<std::remove_const_t<P>>)
inline constexpr bool takes_submit_and_wait_v<P, F, Args...> =
    submits_and_waits_v<std::remove_const_t<P>>;

/// Returns the selection of a policy for a task, which the policy may inspect or ignore.
template <class P, class... Task>
auto select_for(P& p, const Task&... task) {
    if constexpr (requires { p.select(task...); }) {
        return p.select(task...);
    } else {
        return p.select();
    }
}
template <class P, class... Task>
concept selects_for =
    requires(P& p, const Task&... task) { p.select(task...); } || requires(P& p) { p.select(); };

/// Polls, for policies that cannot notify when a resource becomes free. A `try_submit` that finds no
/// resource leaves its arguments unchanged.
template <class P, class F, class... Args>
auto try_until_free(const submit_options& options, P& p, F&& f, Args&&... args) {
    const submit_limit limit{options};
    for (clock::duration pause = std::chrono::microseconds{50};;
         pause = std::min<clock::duration>(2 * pause, std::chrono::milliseconds{5})) {
        if (auto submission = p.try_submit(static_cast<F&&>(f), static_cast<Args&&>(args)...)) {
            return std::move(*submission);
        }
        std::this_thread::sleep_for(limit.pause(pause));
    }
}
template <class P, class F, class... Args>
auto submit_when_free(P& p, F&& f, Args&&... args) {
    if constexpr (is_submit_options_v<F>) {
        return try_until_free(f, p, std::forward<Args>(args)...);
    } else {
        return try_until_free(submit_options{}, p, std::forward<F>(f), std::forward<Args>(args)...);
    }
}
}  // namespace detail

/// Calls `f(resource, args...)` on the resource that `p` chooses, and does not wait for the work. If `p`
/// has no such `submit`, uses its `try_submit`, or its `select` and the `submit` that takes a selection,
/// whose parameter type must be explicit. `submit_options` may precede `f` if `p` has a `submit` that
/// takes them or a `try_submit`.
/// **Throws**: what `f` throws; `not_initialized`; `submit_timeout` and `submit_stopped` according to
/// the options.
/// Source: *Free Functions* in the dynamic selection document.
template <class P, class F, class... Args>
    requires policy<std::decay_t<P>>
auto submit(P&& p, F&& f, Args&&... args) {
    using own = std::remove_reference_t<P>;
    static_assert(detail::may_submit_v<std::decay_t<P>>,
                  "this policy can only submit and wait: call submit_and_wait");
    detail::check_wait_type<std::decay_t<P>, F, Args...>();
    if constexpr (detail::takes_submit_v<own, F, Args...>) {
        return p.submit(std::forward<F>(f), std::forward<Args>(args)...);
    } else if constexpr (detail::takes_try_submit_v<own, F, Args...>) {
        return detail::submit_when_free(p, std::forward<F>(f), std::forward<Args>(args)...);
    } else {
        static_assert(!detail::is_submit_options_v<F>,
                      "this policy has no try_submit, so its wait for a resource cannot be "
                      "limited: leave the submit_options out, or give the policy a try_submit");
        static_assert(detail::selects_for<own, F, Args...>,
                      "this policy has no submit that can be called with the function and these "
                      "arguments, no try_submit, and no select: give it one of them, as public "
                      "members");
        return p.submit(detail::select_for(p, f, args...), std::forward<F>(f),
                        std::forward<Args>(args)...);
    }
}

/// Like `submit`, but never waits for a resource: returns an empty optional if none is free.
template <class P, class F, class... Args>
    requires policy<std::decay_t<P>>
[[nodiscard]] auto try_submit(P&& p, F&& f, Args&&... args) {
    detail::check_wait_type<std::decay_t<P>, F, Args...>();
    static_assert(detail::takes_try_submit_v<std::remove_reference_t<P>, F, Args...>,
                  "this policy cannot tell that no resource is free: call submit or "
                  "submit_and_wait, or give the policy a try_submit");
    return p.try_submit(std::forward<F>(f), std::forward<Args>(args)...);
}

/// Submits and waits until the work is complete.
/// **Throws**: what `f` throws; the error with which the work failed.
template <class P, class F, class... Args>
    requires policy<std::decay_t<P>>
void submit_and_wait(P&& p, F&& f, Args&&... args) {
    if constexpr (detail::takes_submit_and_wait_v<std::remove_reference_t<P>, F, Args...>) {
        detail::check_wait_type<std::decay_t<P>, F, Args...>();
        p.submit_and_wait(std::forward<F>(f), std::forward<Args>(args)...);
    } else {
        wait(pointsman::submit(p, std::forward<F>(f), std::forward<Args>(args)...));
    }
}

/// Calls `f` with the resource of the selection `s`, by `submit(s, f, args...)` of the policy that chose.
/// The first submission of a selection uses the load that `select` reserved; each further one, for a
/// selection passed as an lvalue, adds its own load.
template <class S, class F, class... Args>
    requires selection<std::decay_t<S>>
auto submit(S&& s, F&& f, Args&&... args) {
    auto&& chosen_by = detail::policy_of(s);
    return chosen_by.submit(std::forward<S>(s), std::forward<F>(f), std::forward<Args>(args)...);
}

/// Calls `f` with the resource of the selection `s` and waits until the work is complete.
template <class S, class F, class... Args>
    requires selection<std::decay_t<S>>
void submit_and_wait(S&& s, F&& f, Args&&... args) {
    wait(pointsman::submit(std::forward<S>(s), std::forward<F>(f), std::forward<Args>(args)...));
}

}  // namespace pointsman
