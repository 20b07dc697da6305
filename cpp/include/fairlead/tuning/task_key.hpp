// SPDX-License-Identifier: Apache-2.0
// The key by which tasks of the same kind are recognised.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>

#include "fairlead/tuning/size_class.hpp"

namespace fairlead {

/// Identity of a kind of task. Two tasks with equal keys are expected to take about the same time on
/// the same resource.
struct task_key {
    std::uint64_t callable = 0;  ///< what is called
    std::uint64_t sizes = 0;     ///< size classes of the arguments
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
/// Its address stands for the type `F`; not constant, so that no linker merges two of them.
template <class F>
inline char type_mark = 0;

template <class F>
[[nodiscard]] std::uint64_t callable_identity(const F& f) noexcept {
    if constexpr (std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>) {
        return reinterpret_cast<std::uintptr_t>(f);
    } else {
        return reinterpret_cast<std::uintptr_t>(&type_mark<F>);
    }
}
}  // namespace detail

/// The key of calling `f` with `args`: the callable's type, or its address for a plain function, its
/// name if it has a member `task_name()` (see `named_task`), and the size class of each argument. Never the address of a
/// callable object. A callable with a member `task_key()` states its own.
template <class F, class... Args>
[[nodiscard]] task_key task_key_of(const F& f, const Args&... args) {
    if constexpr (requires {
                      { f.task_key() } -> std::convertible_to<task_key>;
                  }) {
        return f.task_key();
    } else {
        std::uint64_t sizes = sizeof...(Args);
        ((sizes = sizes * 67 + size_class<std::remove_cvref_t<Args>>::of(args)), ...);
        std::uint64_t callable = detail::callable_identity<std::decay_t<const F&>>(f);
        if constexpr (requires {
                          { f.task_name() } -> std::convertible_to<std::string_view>;
                      }) {
            callable = callable * 67 + std::hash<std::string_view>{}(f.task_name());
        }
        return {callable, sizes};
    }
}

}  // namespace fairlead
