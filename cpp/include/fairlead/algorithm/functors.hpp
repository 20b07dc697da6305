// SPDX-License-Identifier: Apache-2.0
// The usual function objects, for host and device.
#pragma once

#include <string>
#include <string_view>

#include "fairlead/algorithm/function.hpp"

namespace fairlead {

namespace detail {
/// A function of two values whose OpenCL C is an expression in `a` and `b`.
template <class Derived>
struct binary_functor {
    static std::string opencl_source() {
        return "#define " + std::string{Derived::opencl_name()} + "(a, b) (" +
               std::string{Derived::expression} + ")\n";
    }
};
}  // namespace detail

/// `a + b`.
struct plus : detail::binary_functor<plus> {
    static constexpr std::string_view expression = "(a) + (b)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_plus"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a + b;
    }
};
/// `a - b`.
struct minus : detail::binary_functor<minus> {
    static constexpr std::string_view expression = "(a) - (b)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_minus"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a - b;
    }
};
/// `a * b`.
struct multiplies : detail::binary_functor<multiplies> {
    static constexpr std::string_view expression = "(a) * (b)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_multiplies"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a * b;
    }
};
/// The lesser; `a` where neither is.
struct minimum : detail::binary_functor<minimum> {
    static constexpr std::string_view expression = "(b) < (a) ? (b) : (a)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_minimum"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return b < a ? b : a;
    }
};
/// The greater; `a` where neither is.
struct maximum : detail::binary_functor<maximum> {
    static constexpr std::string_view expression = "(a) < (b) ? (b) : (a)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_maximum"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};
/// Whether `a < b`.
struct less : detail::binary_functor<less> {
    static constexpr std::string_view expression = "(a) < (b)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_less"; }
    template <class T>
    constexpr bool operator()(const T& a, const T& b) const {
        return a < b;
    }
};
/// Whether `a > b`.
struct greater : detail::binary_functor<greater> {
    static constexpr std::string_view expression = "(b) < (a)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_greater"; }
    template <class T>
    constexpr bool operator()(const T& a, const T& b) const {
        return b < a;
    }
};

/// Whether `a == b`.
struct equal_to : detail::binary_functor<equal_to> {
    static constexpr std::string_view expression = "(a) == (b)";
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_equal_to"; }
    template <class T>
    constexpr bool operator()(const T& a, const T& b) const {
        return a == b;
    }
};

/// `a` itself.
struct identity_value {
    static constexpr std::string_view opencl_name() noexcept { return "fairlead_identity"; }
    static std::string opencl_source() { return "#define fairlead_identity(a) (a)\n"; }
    template <class T>
    constexpr T operator()(const T& a) const {
        return a;
    }
};

static_assert(device_function<plus> && device_function<greater>);

}  // namespace fairlead
