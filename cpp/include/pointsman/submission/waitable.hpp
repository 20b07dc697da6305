// SPDX-License-Identifier: Apache-2.0
// The named requirement waitable-type, and the completion kind of an object.
#pragma once

#include <future>
#include <type_traits>

#include "pointsman/submission/completion.hpp"
#include "pointsman/submission/waitable_traits.hpp"

namespace pointsman {

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

/// Named requirement *waitable-type*: objects of the type may represent work that is still running.
/// `waitable_traits` defines how its completion is noticed.
/// Source: *Requirements for Backend Implementers* in the custom backends document.
template <class T>
concept waitable = !std::is_void_v<T> && !std::is_reference_v<T> &&
                   (detail::calls_back<T> || detail::pollable<T> || detail::waits<T>);

static_assert(waitable<std::future<int>> && waitable<std::shared_future<void>>);

/// Returns the completion kind of `work`.
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
/// Returns how complete work ended: its own `outcome` if it has one.
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

}  // namespace pointsman
