// SPDX-License-Identifier: Apache-2.0
// A type-erased executor: holds any executor of host code that supports a list of properties.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "pointsman/error.hpp"
#include "pointsman/executor/bulk_execute.hpp"
#include "pointsman/executor/detail/any_handle.hpp"
#include "pointsman/executor/detail/erased_work.hpp"
#include "pointsman/executor/execute.hpp"
#include "pointsman/executor/executor.hpp"
#include "pointsman/executor/executor_traits.hpp"
#include "pointsman/property/prefer.hpp"
#include "pointsman/property/prefer_only.hpp"
#include "pointsman/property/query.hpp"
#include "pointsman/property/require.hpp"

namespace pointsman {
namespace detail {

template <class E>
concept runs_tasks = execute_impl::by_member<E, const typename task_of<E>::type&> ||
                     execute_impl::by_function<E, const typename task_of<E>::type&>;

/// Which of `query`, `require` and `prefer` an `any_executor` offers for a property in its list.
template <class P>
struct offered {
    using type = P;
    static constexpr bool answers_it = true;
    static constexpr bool requires_it = is_requirable_v<P>;
    static constexpr bool prefers_it = is_preferable_v<P>;
};
template <class P>
struct offered<prefer_only<P>> {
    using type = P;
    static constexpr bool answers_it = true;
    static constexpr bool requires_it = false;
    static constexpr bool prefers_it = true;
};

/// Function table for one property of a type-erased executor.
template <class Any, class Offered>
struct property_calls {
    using property_type = typename Offered::type;
    using answer = typename property_type::polymorphic_query_result_type;

    answer (*query)(const void*, const property_type&);
    Any (*require)(const void*, const property_type&) = nullptr;
    Any (*prefer)(const void*, const property_type&) = nullptr;

    template <class Executor>
    static constexpr property_calls on() {
        static_assert(
            can_query_v<Executor, property_type>,
            "any_executor: the executor does not support a property of the list that has no "
            "default: leave the property out, or give it a default_value()");
        property_calls calls{[](const void* target, const property_type& p) {
            return answer(pointsman::query(*static_cast<const Executor*>(target), p));
        }};
        if constexpr (Offered::requires_it) {
            static_assert(can_require_v<Executor, property_type>,
                          "any_executor: the executor cannot have a property of the list: wrap it "
                          "in prefer_only, or leave it out");
            calls.require = [](const void* target, const property_type& p) {
                return Any{pointsman::require(*static_cast<const Executor*>(target), p)};
            };
        }
        if constexpr (Offered::prefers_it) {
            calls.prefer = [](const void* target, const property_type& p) {
                return Any{pointsman::prefer(*static_cast<const Executor*>(target), p)};
            };
        }
        return calls;
    }
};

/// Function table of one executor type, the same for every list of properties.
struct executor_calls {
    any_handle (*execute)(const void*, any_task&&);
    any_handle (*bulk_execute)(const void*, any_body&&, std::size_t);
    bool (*equal)(const void*, const void*);
    const std::type_info& type;

    template <class Executor>
    static const executor_calls& of() {
        static constexpr executor_calls calls{
            [](const void* target, any_task&& task) {
                return handle_of([&]() -> decltype(auto) {
                    return pointsman::execute(*static_cast<const Executor*>(target),
                                              std::move(task));
                });
            },
            [](const void* target, any_body&& body, std::size_t n) {
                return handle_of([&]() -> decltype(auto) {
                    return pointsman::bulk_execute(*static_cast<const Executor*>(target),
                                                   std::move(body), n);
                });
            },
            [](const void* a, const void* b) {
                return *static_cast<const Executor*>(a) == *static_cast<const Executor*>(b);
            },
            typeid(Executor)};
        return calls;
    }
};

/// The function tables of one executor type for the properties in a list.
template <class Any, class... Offered>
struct listed_calls {
    std::tuple<property_calls<Any, Offered>...> properties;

    template <class Executor>
    static const listed_calls& of() {
        static constexpr listed_calls calls{
            {property_calls<Any, Offered>::template on<Executor>()...}};
        return calls;
    }
};

}  // namespace detail

/// Holds any executor of host code that answers queries of the properties `Props` and supports requiring
/// them; wrap a property in `prefer_only` if the executor need not support requiring it. Use it for a
/// set of executors of different types, or at an interface that must not be a template. `require` and
/// `prefer` return an `any_executor` of the same type. Properties outside the list cannot be queried:
/// their defaults might be wrong for the held executor.
///
/// Both execution functions return an `any_handle`, which is already complete if the executor blocks.
/// Two `any_executor` objects are equal if both are empty or both hold equal executors of one type.
/// Converting from an `any_executor` with another list unwraps it: `target()` is the executor that it
/// held. An object constructed without an executor, or moved from, is empty; its execution functions
/// and property functions throw `empty_executor`.
/// **Thread safety**: that of the held executor, which copies share.
/// **Cost**: an indirect call and an allocation for the callable, and one for the handle if the executor
/// does not block. A bulk adds an indirect call for each agent.
/// **Example**: `any_executor<blocking_t, occupancy_t> where{inline_executor<>{}};`
/// Source: *Executor Properties* in the executor document, by its reference to P0443R13.
template <class... Props>
class any_executor {
    using listed_type = detail::listed_calls<any_executor, detail::offered<Props>...>;
    template <class P, bool... Allowed>
    static constexpr bool has_v =
        ((std::is_same_v<P, typename detail::offered<Props>::type> && Allowed) || ...);

  public:
    using provided_type = any_executor;
    using shape_type = std::size_t;
    using index_type = std::size_t;
    static constexpr std::string_view name = "any";
    static constexpr bool has_defaults = false;

    /// Holds no executor.
    any_executor() noexcept = default;
    any_executor(std::nullptr_t) noexcept {}

    // The constraint requires no comparison, which would require this conversion again.
    template <class Executor>
        requires(!std::same_as<Executor, any_executor> && detail::runs_tasks<Executor>)
    any_executor(Executor held)
        : calls_{&detail::executor_calls::of<Executor>()},
          listed_{&listed_type::template of<Executor>()} {
        static_assert(executor_of<Executor, detail::any_task>,
                      "any_executor: this executor does not run functions of host code: hold one "
                      "that does, and use opencl_executor by its own type");
        auto target = std::make_shared<Executor>(std::move(held));
        target_ = target.get();
        owner_ = std::move(target);
    }
    /// Holds the executor that `held` holds. The list of `held` contains at least the properties of this
    /// list.
    template <class... Longer>
        requires(!std::same_as<any_executor<Longer...>, any_executor>)
    any_executor(any_executor<Longer...> held) {
        if (held) {
            calls_ = held.calls_;
            target_ = held.target_;
            listed_ = &listed_type::template of<any_executor<Longer...>>();
            owner_ = std::make_shared<any_executor<Longer...>>(std::move(held));
        }
    }
    any_executor(const any_executor&) noexcept = default;
    any_executor(any_executor&& other) noexcept { swap(other); }
    any_executor& operator=(any_executor other) noexcept {
        swap(other);
        return *this;
    }
    ~any_executor() = default;

    void swap(any_executor& other) noexcept {
        std::swap(calls_, other.calls_);
        std::swap(listed_, other.listed_);
        std::swap(target_, other.target_);
        std::swap(owner_, other.owner_);
    }
    friend void swap(any_executor& a, any_executor& b) noexcept { a.swap(b); }

    /// Returns true if an executor is held.
    explicit operator bool() const noexcept { return calls_ != nullptr; }

    /// As `pointsman::execute` on the held executor.
    template <class F>
    any_handle execute(F&& f) const {
        return held().execute(target_, detail::any_task{std::forward<F>(f)});
    }
    /// As `pointsman::bulk_execute` on the held executor.
    template <class F>
    any_handle bulk_execute(F&& f, const shape_type& n) const {
        return held().bulk_execute(target_, detail::any_body{std::forward<F>(f)}, n);
    }

    template <class P>
        requires has_v<P, detail::offered<Props>::answers_it...>
    [[nodiscard]] auto query(const P& p) const {
        return calls_of<P>().query(owner_.get(), p);
    }
    /// For one value of a listed property, such as `blocking.never`: queries the property itself.
    template <class P>
        requires(!has_v<P, detail::offered<Props>::answers_it...> &&
                 has_v<typename P::property_type, detail::offered<Props>::answers_it...>)
    [[nodiscard]] auto query(const P&) const {
        return query(typename P::property_type{});
    }
    template <class P>
        requires has_v<P, detail::offered<Props>::requires_it...>
    [[nodiscard]] any_executor require(const P& p) const {
        return calls_of<P>().require(owner_.get(), p);
    }
    template <class P>
        requires has_v<P, detail::offered<Props>::prefers_it...>
    [[nodiscard]] any_executor prefer(const P& p) const {
        return calls_of<P>().prefer(owner_.get(), p);
    }

    /// The type of the held executor; `typeid(void)` if there is none.
    [[nodiscard]] const std::type_info& target_type() const noexcept {
        return calls_ != nullptr ? calls_->type : typeid(void);
    }
    /// The held executor, or null if it is of another type or there is none.
    template <class Executor>
    [[nodiscard]] const Executor* target() const noexcept {
        return target_type() == typeid(Executor) ? static_cast<const Executor*>(target_) : nullptr;
    }

    friend bool operator==(const any_executor& a, const any_executor& b) {
        return a.target_type() == b.target_type() &&
               (a.target_ == b.target_ || a.calls_->equal(a.target_, b.target_));
    }
    friend bool operator==(const any_executor& a, std::nullptr_t) noexcept { return !a; }

  private:
    template <class...>
    friend class any_executor;

    /// **Throws**: `empty_executor`.
    [[nodiscard]] const detail::executor_calls& held() const {
        if (calls_ == nullptr) {
            throw empty_executor{};
        }
        return *calls_;
    }

    template <class P>
    [[nodiscard]] const auto& calls_of() const {
        static_cast<void>(held());
        return [&]<class... Calls>(const std::tuple<Calls...>& all) -> const auto& {
            constexpr std::size_t index = [] {
                std::size_t found = 0;
                for (const bool here : {std::is_same_v<P, typename Calls::property_type>...}) {
                    if (here) {
                        break;
                    }
                    ++found;
                }
                return found;
            }();
            return std::get<index>(all);
        }(listed_->properties);
    }

    const detail::executor_calls* calls_ = nullptr;
    const listed_type* listed_ = nullptr;
    const void* target_ = nullptr;
    std::shared_ptr<const void> owner_;  // the target, or an any_executor that holds it
};

static_assert(executor<any_executor<>>);

}  // namespace pointsman
