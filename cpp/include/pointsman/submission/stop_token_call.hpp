// SPDX-License-Identifier: Apache-2.0
// Passes a stop token to a function that takes one.
#pragma once

#include <concepts>
#include <functional>
#include <stop_token>
#include <utility>

#include "pointsman/tuning/forwarded_task.hpp"
#include "pointsman/tuning/task_key.hpp"

namespace pointsman::detail {

/// True if `f(resource, args...)` cannot be called, but `f(resource, stop_token, args...)` can.
template <class F, class Resource, class... Args>
concept takes_stop_token = !std::invocable<F, Resource, Args...> &&
                           std::invocable<F, Resource, const std::stop_token&, Args...>;
template <class F, class Resource, class... Args>
concept called_with_stop =
    std::invocable<F, Resource, Args...> || takes_stop_token<F, Resource, Args...>;

/// Calls `f`, with `*stop` after the resource if it takes that.
template <class F, class Resource, class... Args>
    requires called_with_stop<F, Resource, Args...>
decltype(auto) call_with_stop(F&& f, const std::stop_token* stop, Resource&& resource,
                              Args&&... args) {
    if constexpr (takes_stop_token<F, Resource, Args...>) {
        return std::invoke(std::forward<F>(f), std::forward<Resource>(resource), *stop,
                           std::forward<Args>(args)...);
    } else {
        return std::invoke(std::forward<F>(f), std::forward<Resource>(resource),
                           std::forward<Args>(args)...);
    }
}

/// A task that gets `stop` if it takes a stop token.
template <class F>
class stoppable_task : public forwarded_task<F> {
  public:
    stoppable_task(F& f, const std::stop_token& stop) noexcept
        : forwarded_task<F>{f}, stop_{&stop} {}

    template <class Resource, class... Args>
        requires called_with_stop<F&, Resource, Args...>
    decltype(auto) operator()(Resource&& resource, Args&&... args) const {
        return call_with_stop(this->get(), stop_, std::forward<Resource>(resource),
                              std::forward<Args>(args)...);
    }

  private:
    const std::stop_token* stop_;
};
}  // namespace pointsman::detail
