// SPDX-License-Identifier: Apache-2.0
// How the completion of a returned object is seen: the ladder of waitables.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <future>

#include "pointsman/submission/completion.hpp"

namespace pointsman {

/// Rungs of the ladder, from best to least.
enum class waitable_rung : std::uint8_t {
    complete_at_return,  ///< nothing to wait for
    calls_back,          ///< `on_completion` tells when it is over
    polled,              ///< `is_ready` can be asked
    waited,              ///< complete when somebody waits for it
};

/// What pointsman may do with an object that a submitted function returned. The primary template
/// uses the object's own members; specialise it for a type whose members have other names, and
/// write any of the static functions below.
///
/// - `wait(T&)` blocks until the work is over and throws the work's error;
/// - `on_completion(T&, completion_callback)` promises one call, at once when already over;
/// - `is_ready(T&)` tells without blocking whether the work is over;
/// - `outcome(T&)` tells how finished work ended, for objects that know;
/// - `ended(T&, const completion*) noexcept` hears, once, that the end has been accounted for; null when
///   nobody will see it; not called for work that is complete at return;
/// - `rung(const T&)`, for types whose rung is only known at run time.
template <class T>
struct waitable_traits {
    static void wait(T& work)
        requires requires { work.wait(); }
    {
        work.wait();
    }
    static void on_completion(T& work, completion_callback callback)
        requires requires { work.on_completion(callback); }
    {
        work.on_completion(callback);
    }
    static bool is_ready(T& work)
        requires requires {
            { work.is_ready() } -> std::convertible_to<bool>;
        }
    {
        return work.is_ready();
    }
    static bool is_ready(T& work)
        requires(
            !requires { work.is_ready(); } &&
            requires {
                { work.done() } -> std::convertible_to<bool>;
            })
    {
        return work.done();
    }
    static completion outcome(T& work)
        requires requires {
            { work.outcome() } -> std::same_as<completion>;
        }
    {
        return work.outcome();
    }
};

namespace detail {
template <class Future>
struct future_waitable {
    static void wait(Future& work) { work.wait(); }
    /// A deferred future runs inside wait() only, so it counts as never ready by itself.
    static bool is_ready(Future& work) {
        return !work.valid() || work.wait_for(std::chrono::seconds{0}) == std::future_status::ready;
    }
    static waitable_rung rung(const Future& work) {
        if (!work.valid()) {
            return waitable_rung::complete_at_return;
        }
        return work.wait_for(std::chrono::seconds{0}) == std::future_status::deferred
                   ? waitable_rung::waited
                   : waitable_rung::polled;
    }
};
}  // namespace detail

template <class T>
struct waitable_traits<std::future<T>> : detail::future_waitable<std::future<T>> {};
template <class T>
struct waitable_traits<std::shared_future<T>> : detail::future_waitable<std::shared_future<T>> {};

}  // namespace pointsman
