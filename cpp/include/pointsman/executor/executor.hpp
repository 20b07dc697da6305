// SPDX-License-Identifier: Apache-2.0
// The concept that every executor satisfies: it can be copied and compared, and has an execute(f).
#pragma once

#include <concepts>
#include <type_traits>

namespace pointsman {
namespace detail {

/// A task in the form that most executors take.
struct sample_task {
    void operator()() const noexcept {}
};

template <class E>
struct task_of {
    using type = sample_task;
};
template <class E>
    requires requires { typename E::callable_type; }
struct task_of<E> {
    using type = typename E::callable_type;
};

namespace execute_impl {
void execute() = delete;  // hides the object of the same name from argument-dependent lookup

template <class E, class F>
concept by_member = requires(const E& e, F&& f) { e.execute(static_cast<F &&>(f)); };
template <class E, class F>
concept by_function = requires(const E& e, F&& f) { execute(e, static_cast<F &&>(f)); };
}  // namespace execute_impl

/// Comparing `A` with `B` would compare the executors of pointsman from which they are derived, and
/// ignore the state that a derived class adds.
template <class A, class B>
concept compares_only_bases =
    requires {
        typename A::provided_type;
        typename B::provided_type;
    } &&
    (!std::same_as<A, typename A::provided_type> || !std::same_as<B, typename B::provided_type>) &&
    !(std::same_as<A, B> && std::is_empty_v<A>);

}  // namespace detail

/// Deleted: a class with state that is derived from an executor of pointsman must define its own
/// comparison.
template <class A, class B>
    requires detail::compares_only_bases<A, B>
bool operator==(const A&, const B&) = delete;

/// A handle to an execution context that takes callables of type `F`: copies and comparisons are cheap,
/// and `execute` calls `f` once, eagerly.
template <class E, class F>
concept executor_of =
    std::copy_constructible<E> && std::equality_comparable<E> &&
    (detail::execute_impl::by_member<E, F> || detail::execute_impl::by_function<E, F>);

/// Named requirement *executor*: an `executor_of` functions without arguments or, if it has a member
/// `callable_type`, of callables like that type, such as kernels for `opencl_executor`.
/// Source: *Executor Design* in the executor document.
template <class E>
concept executor = executor_of<E, const typename detail::task_of<E>::type&>;

}  // namespace pointsman
