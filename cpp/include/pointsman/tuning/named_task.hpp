// SPDX-License-Identifier: Apache-2.0
// Adds a name to a callable, so that tasks of one callable type are distinguished.
#pragma once

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace pointsman {

/// A callable with a name, which `task_key_of` includes in the key. Use it for callables of one type that
/// differ in cost.
/// **Example**: `submit(policy, named_task{"blur, radius 3", blur{3}}, image);`
template <class F>
struct named_task {
    std::string name;
    F function;

    named_task(std::string name_, F function_)
        : name{std::move(name_)}, function{std::move(function_)} {}
    [[nodiscard]] std::string_view task_name() const noexcept { return name; }
    template <class... Args>
    decltype(auto) operator()(Args&&... args)
        requires std::invocable<F&, Args...>
    {
        return std::invoke(function, std::forward<Args>(args)...);
    }
    template <class... Args>
    decltype(auto) operator()(Args&&... args) const
        requires std::invocable<const F&, Args...>
    {
        return std::invoke(function, std::forward<Args>(args)...);
    }
};

}  // namespace pointsman
