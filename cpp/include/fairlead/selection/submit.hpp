// SPDX-License-Identifier: Apache-2.0
// The free functions submit, try_submit and submit_and_wait, on policies and on selections.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "fairlead/info/wait.hpp"
#include "fairlead/policy/policy.hpp"
#include "fairlead/policy/selection.hpp"
#include "fairlead/submission/submit_options.hpp"

namespace fairlead {
namespace detail {
template <class S>
decltype(auto) policy_of(S& s) {
    if constexpr (requires { s.policy(); }) {
        return s.policy();
    } else {
        return s.get_policy();
    }
}

/// For policies of which nothing tells when a resource is free. A `try_submit` that finds none has left
/// its arguments as they were.
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

/// Calls `f(resource, args...)` on the resource that `p` chooses, and does not wait for the work.
/// Derived from `try_submit` for a policy that has no `submit`. `submit_options` may stand in front of
/// `f`.
/// **Throws**: what `f` throws; `not_initialized`; `submit_timeout` and `submit_stopped` as the options
/// ask.
/// Source: *Free Functions* in the dynamic selection document.
template <class P, class F, class... Args>
    requires policy<std::decay_t<P>>
auto submit(P&& p, F&& f, Args&&... args) {
    if constexpr (detail::submits_v<std::decay_t<P>>) {
        return p.submit(std::forward<F>(f), std::forward<Args>(args)...);
    } else {
        static_assert(detail::tries_to_submit_v<std::decay_t<P>>,
                      "this policy can only submit and wait: call submit_and_wait");
        return detail::submit_when_free(p, std::forward<F>(f), std::forward<Args>(args)...);
    }
}

/// Like `submit`, but never waits for a resource: an empty optional when none is free.
template <class P, class F, class... Args>
    requires policy<std::decay_t<P>>
[[nodiscard]] auto try_submit(P&& p, F&& f, Args&&... args) {
    static_assert(detail::tries_to_submit_v<std::decay_t<P>>,
                  "this policy cannot tell that no resource is free: call submit or "
                  "submit_and_wait, or give the policy a try_submit");
    return p.try_submit(std::forward<F>(f), std::forward<Args>(args)...);
}

/// Submits and waits until the work is complete.
/// **Throws**: what `f` throws; the error with which the work failed.
template <class P, class F, class... Args>
    requires policy<std::decay_t<P>>
void submit_and_wait(P&& p, F&& f, Args&&... args) {
    if constexpr (detail::submits_and_waits_v<std::decay_t<P>>) {
        p.submit_and_wait(std::forward<F>(f), std::forward<Args>(args)...);
    } else {
        wait(fairlead::submit(p, std::forward<F>(f), std::forward<Args>(args)...));
    }
}

/// Calls `f` with the resource of the selection `s`: `submit(s, f, args...)` of the policy that chose.
/// The first submission of a selection uses the load that `select` reserved; a further one, of a
/// selection passed as an lvalue, counts by itself.
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
    wait(fairlead::submit(std::forward<S>(s), std::forward<F>(f), std::forward<Args>(args)...));
}

}  // namespace fairlead
