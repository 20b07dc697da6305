// SPDX-License-Identifier: Apache-2.0
// The key of a kind of task: tasks with equal keys share their measurements.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <typeinfo>

#include "pointsman/tuning/size_class.hpp"

namespace pointsman {

/// Identity of a kind of task. Two tasks with equal keys are expected to take about the same time on
/// the same resource.
struct task_key {
    std::uint64_t callable = 0;  ///< identity of the callable
    std::uint64_t sizes = 0;     ///< size classes of the arguments

    /// True for keys of `stable_task_key`, which are the same in every process.
    [[nodiscard]] constexpr bool is_stable() const noexcept {
        return (callable & stable_mark) != 0;
    }

    /// The bit of `callable` that is set in stable keys alone.
    static constexpr std::uint64_t stable_mark = std::uint64_t{1} << 63U;

    friend bool operator==(const task_key&, const task_key&) = default;
};

/// Hash of a `task_key`.
struct task_key_hash {
    [[nodiscard]] std::size_t operator()(const task_key& key) const noexcept {
        std::uint64_t h = key.callable ^ (key.sizes + 0x9e3779b97f4a7c15ULL + (key.callable << 6U));
        h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        return static_cast<std::size_t>(h ^ (h >> 27U));
    }
};

namespace detail {
/// Base of every `forwarded_task`.
struct forwarded_task_base {};

/// The base in which size classes are combined: a prime above the largest size class.
inline constexpr std::uint64_t size_classes = 257;

/// Its address identifies the type `F`. It is not const, so that no linker merges two of them.
template <class F>
inline char type_mark = 0;

/// A callable that wraps another one and exposes the type of its target, as `std::function` does.
template <class F>
concept tells_target = requires(const F& f) {
    { f.target_type() } -> std::same_as<const std::type_info&>;
};

template <class F>
[[nodiscard]] std::uint64_t callable_identity(const F& f) noexcept;

/// Identity of the callable inside a type-erased wrapper.
template <class F>
struct hidden_callable {
    [[nodiscard]] static std::uint64_t identity(const F& f) noexcept {
        return reinterpret_cast<std::uintptr_t>(&f.target_type());
    }
};
template <class R, class... Args>
struct hidden_callable<std::function<R(Args...)>> {
    /// A plain function with this signature is identified by its address, as if it was passed directly.
    [[nodiscard]] static std::uint64_t identity(const std::function<R(Args...)>& f) noexcept {
        if (const auto* const plain = f.template target<R (*)(Args...)>()) {
            return callable_identity(*plain);
        }
        return reinterpret_cast<std::uintptr_t>(&f.target_type());
    }
};

/// True for a type that refers to the callable which its `get()` returns.
template <class F>
inline constexpr bool refers_v = std::derived_from<F, forwarded_task_base>;
template <class F>
inline constexpr bool refers_v<std::reference_wrapper<F>> = true;

/// Identity of a pointer to member, from the words of its representation.
template <class F>
[[nodiscard]] std::uint64_t value_identity(const F& f) noexcept {
    struct parts {
        std::uint32_t words[sizeof(F) / sizeof(std::uint32_t)];
    };
    auto identity = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&type_mark<F>));
    for (const std::uint32_t word : std::bit_cast<parts>(f).words) {
        identity = identity * 0x9e3779b97f4a7c15ULL + word;
    }
    return identity;
}

template <class F>
[[nodiscard]] std::uint64_t callable_identity(const F& f) noexcept {
    if constexpr (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>) {
        return reinterpret_cast<std::uintptr_t>(f);
    } else if constexpr (std::is_member_pointer_v<F>) {
        return value_identity(f);
    } else if constexpr (refers_v<F>) {
        return callable_identity<std::decay_t<typename F::type>>(f.get());
    } else if constexpr (tells_target<F>) {
        return hidden_callable<F>::identity(f);
    } else {
        return reinterpret_cast<std::uintptr_t>(&type_mark<F>);
    }
}
}  // namespace detail

/// Returns the key of calling `f` with `args`: the identity of the callable, its name if it has a member
/// `task_name()` (see `named_task`), and the size class of each argument. A callable with a member
/// `task_key()` provides its own key.
///
/// Plain functions and pointers to members are identified by their value, a `std::reference_wrapper` by
/// its target, as is a `forwarded_task`. A `std::function`, or any other type with a `target_type()`, is
/// identified by the type of its target; a `std::function` that holds a plain function of its own
/// signature, by that function.
/// Any other callable is identified by its type, never by its address or contents: lambdas from one
/// line that captured different values, results of `std::bind` that hold different functions of one
/// signature, and objects of `std::move_only_function` count as the same task unless `named_task`
/// distinguishes them.
template <class F, class... Args>
[[nodiscard]] task_key task_key_of(const F& f, const Args&... args) {
    if constexpr (requires {
                      { f.task_key() } -> std::convertible_to<task_key>;
                  }) {
        return f.task_key();
    } else {
        std::uint64_t sizes = sizeof...(Args);
        ((sizes = sizes * detail::size_classes + size_class<std::remove_cvref_t<Args>>::of(args)),
         ...);
        std::uint64_t callable = detail::callable_identity<std::decay_t<const F&>>(f);
        if constexpr (requires {
                          { f.task_name() } -> std::convertible_to<std::string_view>;
                      }) {
            callable =
                callable * detail::size_classes + std::hash<std::string_view>{}(f.task_name());
        }
        return {callable & ~task_key::stable_mark, sizes};
    }
}

}  // namespace pointsman
