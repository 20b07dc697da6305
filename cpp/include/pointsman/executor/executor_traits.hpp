// SPDX-License-Identifier: Apache-2.0
// Type traits: the kind of an executor, and whether this build includes it.
#pragma once

#include <concepts>
#include <type_traits>

#include "pointsman/executor/executor.hpp"

namespace pointsman {
namespace detail {

/// Base of an executor that this build declares but does not implement.
struct not_compiled_in {
    friend bool operator==(const not_compiled_in&, const not_compiled_in&) = default;
};

template <template <class...> class Kind>
struct instance_test {
    template <class... Arguments>
    static std::true_type of(const Kind<Arguments...>*);
    static std::false_type of(const void*);
};
}  // namespace detail

/// True if `T` is an executor.
template <class T>
inline constexpr bool is_executor_v = executor<T>;

/// True if `T` is an executor that this program was compiled with: `openmp_executor` needs a compiler
/// with OpenMP enabled, `opencl_executor` OpenCL's headers.
template <class T>
inline constexpr bool is_executor_available_v =
    executor<T> && !std::derived_from<T, detail::not_compiled_in>;

/// True if `T` is `Kind` with any template arguments, or is derived from such a class.
/// **Example**: `if constexpr (is_instance_of_v<Executor, arena_executor>) ...`
/// Source: *Customizing Executors* in the executor document.
template <class T, template <class...> class Kind>
inline constexpr bool is_instance_of_v =
    decltype(detail::instance_test<Kind>::of(static_cast<const T*>(nullptr)))::value;

/// True if `is_instance_of_v` is true for one of `Kinds`.
template <class T, template <class...> class... Kinds>
inline constexpr bool is_instance_of_any_v = (is_instance_of_v<T, Kinds> || ...);

/// An executor of one kind with any properties, or a class derived from one. Use it to constrain a
/// function that is written for that kind.
/// **Example**: `template <executor_instance_of<inline_executor> Executor> void blur(Executor, image&);`
template <class T, template <class...> class Kind>
concept executor_instance_of = executor<T> && is_instance_of_v<T, Kind>;

/// An executor of one of several kinds.
template <class T, template <class...> class... Kinds>
concept executor_instance_of_any = executor<T> && is_instance_of_any_v<T, Kinds...>;

/// An executor that this program was compiled with.
template <class T>
concept available_executor = executor<T> && is_executor_available_v<T>;

}  // namespace pointsman
