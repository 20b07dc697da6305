// SPDX-License-Identifier: Apache-2.0
// Type-erased tasks and bulk bodies, for executors held by any_executor.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "pointsman/executor/detail/any_handle.hpp"

namespace pointsman::detail {

/// Holds a task of any type, including move-only ones, to be called once.
class any_task {
  public:
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, any_task>)
    explicit any_task(F&& f)
        : held_{std::make_unique<model<std::decay_t<F>>>(std::forward<F>(f))} {}
    void operator()() { held_->call(); }

  private:
    struct interface {
        interface() = default;
        interface(const interface&) = delete;
        interface& operator=(const interface&) = delete;
        virtual ~interface() = default;
        virtual void call() = 0;
    };
    template <class F>
    struct model final : interface {
        template <class G>
        explicit model(G&& g) : function(std::forward<G>(g)) {}
        void call() override { static_cast<void>(std::invoke(std::move(function))); }
        F function;
    };
    std::unique_ptr<interface> held_;
};

/// Holds the body of a bulk, of any type. Copies share it.
class any_body {
  public:
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, any_body>)
    explicit any_body(F&& f)
        : held_{std::make_shared<std::decay_t<F>>(std::forward<F>(f))},
          call_{[](void* body, std::size_t i) { (*static_cast<std::decay_t<F>*>(body))(i); }} {}
    void operator()(std::size_t i) const { call_(held_.get(), i); }

  private:
    std::shared_ptr<void> held_;
    void (*call_)(void*, std::size_t);
};

/// Wraps what the executor's function `call` returns; an empty handle if it returns nothing.
template <class Call>
any_handle handle_of(Call call) {
    if constexpr (std::is_void_v<decltype(call())>) {
        call();
        return {};
    } else {
        return any_handle{call()};
    }
}

}  // namespace pointsman::detail
