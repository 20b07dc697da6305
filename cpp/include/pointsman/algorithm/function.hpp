// SPDX-License-Identifier: Apache-2.0
// Makes function objects for host and device from one source text.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

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
}  // namespace detail

}  // namespace pointsman

/// Declares the function object `name`, for algorithms on host and device, at namespace scope or in a
/// function:
///
///     POINTSMAN_FUNCTION(float, axpy, (float x, float y), { return 2.0f * x + y; })
///     pointsman::transform(policy, x, x + n, y, y, axpy);
///
/// The body must mean the same in C++ and in OpenCL C: arithmetic on its parameters, mathematical
/// functions of both languages, and types of both, including those of `<cstdint>`. The first use on a
/// device throws a `build_error`, which shows the text, if the body is not valid OpenCL C.
#define POINTSMAN_FUNCTION(Result, name, parameters, ...)                                          \
    struct name##_function {                                                                       \
        constexpr Result operator() parameters const __VA_ARGS__ static constexpr std::string_view \
            opencl_name() noexcept {                                                               \
            return #name;                                                                          \
        }                                                                                          \
        static std::string opencl_source() {                                                       \
            return #Result " " #name #parameters " " #__VA_ARGS__ "\n";                            \
        }                                                                                          \
    };                                                                                             \
    static constexpr name##_function name {}
