// SPDX-License-Identifier: Apache-2.0
// Function objects with one source for host and device.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace pointsman {

/// A stateless function object that carries its text in OpenCL C: `opencl_name()` is what a kernel calls,
/// `opencl_source()` what declares it, and has to be there once.
template <class F>
concept device_function = requires {
    { F::opencl_name() } -> std::convertible_to<std::string_view>;
    { F::opencl_source() } -> std::convertible_to<std::string>;
};

namespace detail {
/// What `F` returns for such values.
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
/// The body has to mean the same in C++ and in OpenCL C: arithmetic on its parameters, the functions of
/// both languages' mathematics, and the types that both know, among them those of `<cstdint>`.
/// A mistake in it comes out as `build_error`, which shows the text, when it is first used on a device.
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
