// SPDX-License-Identifier: Apache-2.0
// Adds an overload to an algorithm that takes an auto_policy and runs it on host or device.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "pointsman/execution/auto_reach.hpp"
#include "pointsman/execution/host_policies.hpp"
#include "pointsman/tuning/size_class.hpp"
#include "pointsman/tuning/task_key.hpp"
#ifndef POINTSMAN_WITHOUT_OPENCL
#include "pointsman/algorithm/function.hpp"
#include "pointsman/algorithm/opencl/memory.hpp"
#include "pointsman/execution/device_policy.hpp"
#endif

namespace pointsman::detail {

#ifndef POINTSMAN_WITHOUT_OPENCL
template <class T>
concept device_argument = device_iterator<T> || device_function<T> || device_value<T>;

template <class Call, class... Args>
concept runs_on_device =
    (device_argument<Args> && ...) &&
    std::invocable<const Call&, const execution::device_policy<>&, const Args&...>;
template <class Call, class... Args>
concept runs_on_host =
    !(is_on_device<Args> || ...) &&
    std::invocable<const Call&, const execution::sequenced_policy&, const Args&...>;

/// The context of the memory behind the first of `iterators` whose values only a device can read or write; null if
/// there is none.
template <class... Its>
[[nodiscard]] cl_context context_of_memory(const Its&... iterators);

template <class It>
[[nodiscard]] cl_context context_behind(const It& it) {
    if constexpr (!is_on_device<It>) {
        return nullptr;
    } else if constexpr (is_buffer_iterator<It>) {
        opencl::detail::check_not_forked();
        return it.owner().handle().template getInfo<CL_MEM_CONTEXT>()();
    } else if constexpr (requires {
                             std::tuple_size<std::remove_cvref_t<decltype(it.base())>>::value;
                         }) {
        return std::apply([](const auto&... each) { return context_of_memory(each...); },
                          it.base());
    } else if constexpr (requires { it.base(); }) {
        return context_behind(it.base());
    } else {
        return context_behind(it.values());
    }
}
template <class... Its>
[[nodiscard]] cl_context context_of_memory(const Its&... iterators) {
    cl_context found = nullptr;
    ((found = found == nullptr ? context_behind(iterators) : found), ...);
    return found;
}
#else
template <class Call, class... Args>
concept runs_on_device = false;
template <class Call, class... Args>
concept runs_on_host =
    std::invocable<const Call&, const execution::sequenced_policy&, const Args&...>;
#endif

template <class Call, class... Args>
inline constexpr auto auto_reach_of =
    !runs_on_device<Call, Args...> ? execution::auto_reach::host
    : runs_on_host<Call, Args...>  ? execution::auto_reach::anywhere
                                   : execution::auto_reach::device;

/// The size in bytes of the range given by the first two arguments, [first, last) or (first, count); 0 if
/// they are neither.
template <class First, class Second, class... Others>
[[nodiscard]] std::uint64_t first_range_bytes(const First& first, const Second& second,
                                              const Others&...) noexcept {
    if constexpr (std::integral<Second>) {
        return static_cast<std::uint64_t>(second) * sizeof(std::iter_value_t<First>);
    } else if constexpr (requires { second - first; }) {
        return static_cast<std::uint64_t>(second - first) * sizeof(std::iter_value_t<First>);
    } else {
        return 0;
    }
}

/// True for the `Call` of an algorithm whose time depends on the range given by its third and fourth argument
/// more than on the range given by the first two.
template <class Call>
inline constexpr bool depends_on_second_range = false;

/// The size in bytes of the range on which the time of a call depends.
template <class Call, class First, class Second, class... Others>
[[nodiscard]] std::uint64_t deciding_range_bytes(const First& first, const Second& second,
                                                 const Others&... others) noexcept {
    if constexpr (depends_on_second_range<Call>) {
        return first_range_bytes(others...);
    } else {
        return first_range_bytes(first, second, others...);
    }
}

/// What the calls of all algorithms have in common.
struct algorithm_call {
#ifndef POINTSMAN_WITHOUT_OPENCL
    /// The context of the first of the values that only a device can read or write; null if there are none.
    template <class... Args>
    [[nodiscard]] static cl_context context_of(const Args&... args) {
        return context_of_memory(args...);
    }
#endif
};

/// The key of a call as a task. Different plain functions of the same type get different keys.
template <class Call, class... Args>
[[nodiscard]] task_key auto_key_of(const Args&... args) noexcept {
    std::uint64_t callable = callable_identity(std::type_identity<Call(Args...)>{});
    const auto add = [&]<class T>(const T& argument) {
        if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>) {
            callable = callable * 67 + callable_identity(argument);
        }
    };
    (add(args), ...);
    return {callable, size_class_of(deciding_range_bytes<Call>(args...))};
}

}  // namespace pointsman::detail

/// Adds an overload for `execution::auto_policy` (<pointsman/execution/auto_policy.hpp>) to the algorithm
/// `name_`, whose overloads for the other execution policies must be declared before.
#define POINTSMAN_TAKES_AUTO_POLICY(name_)                                \
    namespace detail {                                                    \
    struct name_##_call : algorithm_call {                                \
        static constexpr std::string_view name = #name_;                  \
        template <class P, class... Args>                                 \
        auto operator()(const P& policy, const Args&... args) const       \
            -> decltype(pointsman::name_(policy, args...)) {              \
            return pointsman::name_(policy, args...);                     \
        }                                                                 \
    };                                                                    \
    }                                                                     \
    template <std::same_as<execution::auto_policy> P, class... Args>      \
        requires detail::runs_on_host<detail::name_##_call, Args...> ||   \
                 detail::runs_on_device<detail::name_##_call, Args...>    \
    auto name_(const P& policy, Args... args) {                           \
        using call = detail::name_##_call;                                \
        return policy.template run<detail::auto_reach_of<call, Args...>>( \
            call{}, detail::auto_key_of<call>(args...), args...);         \
    }                                                                     \
    static_assert(true)
