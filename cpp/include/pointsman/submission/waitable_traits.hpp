// SPDX-License-Identifier: Apache-2.0
// How the completion of a returned object is noticed: by callback, by polling or by waiting.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <future>

#include "pointsman/submission/completion.hpp"

namespace pointsman {

/// Completion kinds, from best to worst.
enum class waitable_rung : std::uint8_t {
    complete_at_return,  ///< nothing to wait for
    calls_back,          ///< `on_completion` registers a callback
    polled,              ///< `is_ready` can be polled
    waited,              ///< completes when a thread waits for it
};

/// How pointsman waits for an object that a submitted function returned. The primary template uses the
/// object's own members; specialise it for a type whose members have other names, with any of these
/// static functions:
///
/// - `wait(T&)` blocks until the work is complete and throws the work's error;
/// - `on_completion(T&, completion_callback)` calls back exactly once, at once if already complete;
/// - `is_ready(T&)` returns true if the work is complete, without blocking;
/// - `outcome(T&)` returns how complete work ended, for types that record it;
/// - `ended(T&, const completion*) noexcept` is called once when the end has been accounted for, with
///   null if the end will not be noticed; not called for work that is complete at return;
/// - `rung(const T&)` returns the completion kind, for types whose kind is known only at run time.
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
    /// A deferred future runs only inside wait(), so it is never ready by itself.
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
