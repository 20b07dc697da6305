// SPDX-License-Identifier: Apache-2.0
// An executor of any type, behind one type.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "fairlead/executor/any_handle.hpp"
#include "fairlead/executor/bulk_execute.hpp"
#include "fairlead/executor/execute.hpp"
#include "fairlead/executor/executor.hpp"
#include "fairlead/property/prefer.hpp"
#include "fairlead/property/prefer_only.hpp"
#include "fairlead/property/query.hpp"
#include "fairlead/property/require.hpp"

namespace fairlead {
namespace detail {

/// A task of any type, which may be one that only moves.
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

/// The body of a bulk of any type; copies share it.
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

/// What an executor returned, as a handle.
template <class Call>
any_handle handle_of(Call call) {
    if constexpr (std::is_void_v<decltype(call())>) {
        call();
        return {};
    } else {
        return any_handle{call()};
    }
}

// The part of an `any_executor`'s interface that serves one property, and of its model.
template <class Any, class P>
struct query_slot {
    struct interface {
        virtual typename P::polymorphic_query_result_type ask(const P& p) const = 0;

      protected:
        ~interface() = default;
    };
    template <class Model, class Base>
    struct model : Base {
        using Base::ask;
        typename P::polymorphic_query_result_type ask(const P& p) const override {
            return query(static_cast<const Model&>(*this).target, p);
        }
    };
};
template <class Any, class P>
struct require_slot {
    struct interface {
        virtual Any give(const P& p) const = 0;

      protected:
        ~interface() = default;
    };
    template <class Model, class Base>
    struct model : Base {
        using Base::give;
        Any give(const P& p) const override {
            return Any{require(static_cast<const Model&>(*this).target, p)};
        }
    };
};
template <class Any, class P>
struct prefer_slot {
    struct interface {
        virtual Any offer(const P& p) const = 0;

      protected:
        ~interface() = default;
    };
    template <class Model, class Base>
    struct model : Base {
        using Base::offer;
        Any offer(const P& p) const override {
            return Any{prefer(static_cast<const Model&>(*this).target, p)};
        }
    };
};

}  // namespace detail
}  // namespace fairlead
