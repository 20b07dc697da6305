// SPDX-License-Identifier: Apache-2.0
// Makes a std::variant of waitables waitable, by its active member.
#pragma once

#include <stdexcept>
#include <variant>

#include "pointsman/submission/waitable.hpp"

namespace pointsman {

/// For functions on mixed resources, which return a `std::variant`. Its completion kind is that of its
/// active member, which may be a plain value that is complete. Functions of these traits that do not
/// apply to the completion kind must not be called; they throw `std::logic_error`.
template <class... Ts>
    requires(waitable<Ts> || ...)
struct waitable_traits<std::variant<Ts...>> {
    using variant = std::variant<Ts...>;

    static waitable_rung rung(const variant& work) {
        return std::visit([](const auto& held) { return rung_of(held); }, work);
    }

    static void wait(variant& work)
        requires(detail::waits<Ts> || ...)
    {
        std::visit(
            []<class T>(T& held) {
                if constexpr (detail::waits<T>) {
                    waitable_traits<T>::wait(held);
                } else if constexpr (waitable<T>) {
                    throw std::logic_error{"the active member of the variant has no wait()"};
                }
            },
            work);
    }

    static void on_completion(variant& work, completion_callback callback)
        requires(detail::calls_back<Ts> || ...)
    {
        std::visit(
            [&]<class T>(T& held) {
                if constexpr (detail::calls_back<T>) {
                    waitable_traits<T>::on_completion(held, callback);
                } else if constexpr (waitable<T>) {
                    throw std::logic_error{"the active member of the variant cannot call back"};
                } else {
                    callback(completion::noticed_now());
                }
            },
            work);
    }

    static bool is_ready(variant& work)
        requires(detail::pollable<Ts> || ...)
    {
        return std::visit(
            []<class T>(T& held) -> bool {
                if constexpr (detail::pollable<T>) {
                    return waitable_traits<T>::is_ready(held);
                } else if constexpr (waitable<T>) {
                    throw std::logic_error{"the active member of the variant cannot be polled"};
                } else {
                    return true;
                }
            },
            work);
    }

    /// Exists if every waitable member has an outcome: without it, the caller determines how the work
    /// ended.
    static completion outcome(variant& work)
        requires((detail::tells_outcome<Ts> || !waitable<Ts>) && ...)
    {
        return std::visit(
            []<class T>(T& held) {
                if constexpr (detail::tells_outcome<T>) {
                    return waitable_traits<T>::outcome(held);
                } else {
                    return completion::noticed_now();
                }
            },
            work);
    }
};

/// Blocks until the work that the variant holds is complete.
/// **Throws**: the work's error.
template <class... Ts>
    requires(detail::waits<Ts> || ...)
void wait(std::variant<Ts...>& work) {
    waitable_traits<std::variant<Ts...>>::wait(work);
}
template <class... Ts>
    requires(detail::waits<Ts> || ...)
void wait(std::variant<Ts...>&& work) {
    waitable_traits<std::variant<Ts...>>::wait(work);
}

/// Deleted: waiting may change the active member.
template <class... Ts>
    requires(detail::waits<Ts> || ...)
void wait(const std::variant<Ts...>& work) = delete;

}  // namespace pointsman
