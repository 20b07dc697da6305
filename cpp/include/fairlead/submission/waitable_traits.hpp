// SPDX-License-Identifier: Apache-2.0
// How the completion of a returned object is seen: the ladder of waitables.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <future>
#include <type_traits>

#include "fairlead/submission/completion.hpp"

namespace fairlead {

/// Rungs of the ladder, from best to least.
enum class waitable_rung : std::uint8_t {
    complete_at_return,  ///< nothing to wait for
    calls_back,          ///< `on_completion` tells when it is over
    polled,              ///< `is_ready` can be asked
    waited,              ///< complete when somebody waits for it
};

/// What fairlead may do with an object that a submitted function returned. The primary template
/// uses the object's own members; specialise it for a type whose members have other names, and
/// write any of the static functions below.
///
/// - `wait(T&)` blocks until the work is over and throws the work's error;
/// - `on_completion(T&, completion_callback)` promises one call, at once when already over;
/// - `is_ready(T&)` tells without blocking whether the work is over;
/// - `outcome(T&)` tells how finished work ended, for objects that know;
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

namespace detail {
template <class T>
concept calls_back =
    requires(T& t, completion_callback c) { waitable_traits<T>::on_completion(t, c); };
template <class T>
concept pollable = requires(T& t) { waitable_traits<T>::is_ready(t); };
template <class T>
concept waits = requires(T& t) { waitable_traits<T>::wait(t); };
template <class T>
concept tells_outcome = requires(T& t) { waitable_traits<T>::outcome(t); };
template <class T>
concept dynamic_rung = requires(const T& t) { waitable_traits<T>::rung(t); };
}  // namespace detail

/// True for a type whose objects may stand for work that is still going on. The specification's
/// *waitable-type*.
template <class T>
concept waitable = !std::is_void_v<T> && !std::is_reference_v<T> &&
                   (detail::calls_back<T> || detail::pollable<T> || detail::waits<T>);

/// The rung on which `work` stands.
template <class T>
[[nodiscard]] waitable_rung rung_of(const T& work) {
    if constexpr (detail::dynamic_rung<T>) {
        return waitable_traits<T>::rung(work);
    } else if constexpr (detail::calls_back<T>) {
        return waitable_rung::calls_back;
    } else if constexpr (detail::pollable<T>) {
        return waitable_rung::polled;
    } else if constexpr (detail::waits<T>) {
        return waitable_rung::waited;
    } else {
        return waitable_rung::complete_at_return;
    }
}

namespace detail {
/// How finished work ended: in its own words where it has them.
template <class T>
[[nodiscard]] completion outcome_of(T& work, bool succeeded) noexcept {
    if constexpr (tells_outcome<T>) {
        completion end = waitable_traits<T>::outcome(work);
        end.succeeded = end.succeeded && succeeded;
        return end;
    } else {
        return completion::noticed_now(succeeded);
    }
}
}  // namespace detail

}  // namespace fairlead
