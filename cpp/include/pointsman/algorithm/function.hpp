// SPDX-License-Identifier: Apache-2.0
// Makes function objects for host and device from one source text.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "pointsman/algorithm/structure.hpp"

namespace pointsman {

/// A stateless function object with its source text in OpenCL C: `opencl_name()` names the function that
/// a kernel calls, and `opencl_source()` defines it. A program contains each definition once.
template <class F>
concept device_function = requires {
    { F::opencl_name() } -> std::convertible_to<std::string_view>;
    { F::opencl_source() } -> std::convertible_to<std::string>;
};

namespace detail {
/// The return type of `F` for arguments of these types.
template <class F, class... Values>
using returned_t = std::decay_t<std::invoke_result_t<const F&, const Values&...>>;

/// The result and the parameters of a call operator that is neither overloaded nor a template.
template <class Member>
struct signature {};
template <class F, class Result, class... Parameters>
struct signature<Result (F::*)(Parameters...) const> {
    using result = Result;
    using parameters = std::tuple<std::remove_cvref_t<Parameters>...>;
    static std::string struct_definitions() { return struct_sources<Result, Parameters...>(); }
};
template <class F, class Result, class... Parameters>
struct signature<Result (F::*)(Parameters...) const noexcept>
    : signature<Result (F::*)(Parameters...) const> {};
template <class F>
using signature_of = signature<decltype(&F::operator())>;

/// The POINTSMAN_STRUCT to which the first parameter of `F` points.
template <class F>
using changed_struct_t =
    std::remove_pointer_t<std::tuple_element_t<0, typename signature_of<F>::parameters>>;
/// `F` takes the address of a POINTSMAN_STRUCT that can be made of a `T`.
template <class F, class T>
concept changes_struct_of =
    requires { typename changed_struct_t<F>; } && structure_type<changed_struct_t<F>> &&
    std::invocable<const F&, changed_struct_t<F>*> &&
    std::constructible_from<changed_struct_t<F>, const T&>;
}  // namespace detail

}  // namespace pointsman

/// Declares the function object `name`, for algorithms on host and device, at namespace scope or in a
/// function:
///
///     POINTSMAN_FUNCTION(float, axpy, (float x, float y), { return 2.0f * x + y; })
///     pointsman::transform(policy, x, x + n, y, y, axpy);
///
/// The body must mean the same in C++ and in OpenCL C: arithmetic on its parameters, mathematical
/// functions of both languages, and types of both, including those of `<cstdint>` and each
/// POINTSMAN_STRUCT. The first use on a device throws a `build_error`, which shows the text, if the body is
/// not valid OpenCL C.
#define POINTSMAN_FUNCTION(Result, name, parameters, ...)                                          \
    struct name##_function {                                                                       \
        constexpr Result operator() parameters const __VA_ARGS__ static constexpr std::string_view \
            opencl_name() noexcept {                                                               \
            return #name;                                                                          \
        }                                                                                          \
        static std::string opencl_source() {                                                       \
            return ::pointsman::detail::signature_of<name##_function>::struct_definitions() +      \
                   #Result " " #name #parameters " " #__VA_ARGS__ "\n";                            \
        }                                                                                          \
    };                                                                                             \
    static constexpr name##_function name {}
