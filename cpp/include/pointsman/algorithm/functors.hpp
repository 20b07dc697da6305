// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison function objects for host and device; they convert mixed operand types as C++ does.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "pointsman/algorithm/function.hpp"

namespace pointsman {

namespace detail {
/// Base of binary functions whose OpenCL C text is the expression `Derived::expression` in `a` and `b`.
template <class Derived>
struct binary_functor {
    static std::string opencl_source() {
        return "#define " + std::string{Derived::opencl_name()} + "(a, b) (" +
               std::string{Derived::expression} + ")\n";
    }
};

/// `a < b`: numbers of different types are compared in their common type, as in OpenCL C.
template <class A, class B>
[[nodiscard]] constexpr bool is_less(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        using both = std::common_type_t<A, B>;
        return static_cast<both>(a) < static_cast<both>(b);
    } else {
        return a < b;
    }
}
template <class A, class B>
[[nodiscard]] constexpr bool is_equal(const A& a, const B& b) {
    if constexpr (std::is_arithmetic_v<A> && std::is_arithmetic_v<B>) {
        using both = std::common_type_t<A, B>;
        return static_cast<both>(a) == static_cast<both>(b);
    } else {
        return a == b;
    }
}
}  // namespace detail

/// `a + b`.
struct plus : detail::binary_functor<plus> {
    static constexpr std::string_view expression = "(a) + (b)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_plus"; }
    template <class A, class B>
    constexpr auto operator()(const A& a, const B& b) const -> decltype(a + b) {
        return a + b;
    }
};
/// `a - b`.
struct minus : detail::binary_functor<minus> {
    static constexpr std::string_view expression = "(a) - (b)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_minus"; }
    template <class A, class B>
    constexpr auto operator()(const A& a, const B& b) const -> decltype(a - b) {
        return a - b;
    }
};
/// `a * b`.
struct multiplies : detail::binary_functor<multiplies> {
    static constexpr std::string_view expression = "(a) * (b)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_multiplies"; }
    template <class A, class B>
    constexpr auto operator()(const A& a, const B& b) const -> decltype(a * b) {
        return a * b;
    }
};
/// The lesser value; `a` if they are equivalent.
struct minimum : detail::binary_functor<minimum> {
    static constexpr std::string_view expression = "(b) < (a) ? (b) : (a)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_minimum"; }
    template <class A, class B>
    constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        using both = std::common_type_t<A, B>;
        return detail::is_less(b, a) ? static_cast<both>(b) : static_cast<both>(a);
    }
};
/// The greater value; `a` if they are equivalent.
struct maximum : detail::binary_functor<maximum> {
    static constexpr std::string_view expression = "(a) < (b) ? (b) : (a)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_maximum"; }
    template <class A, class B>
    constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
        using both = std::common_type_t<A, B>;
        return detail::is_less(a, b) ? static_cast<both>(b) : static_cast<both>(a);
    }
};
/// True if `a < b`.
struct less : detail::binary_functor<less> {
    static constexpr std::string_view expression = "(a) < (b)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_less"; }
    template <class A, class B>
    constexpr bool operator()(const A& a, const B& b) const {
        return detail::is_less(a, b);
    }
};
/// True if `a > b`.
struct greater : detail::binary_functor<greater> {
    static constexpr std::string_view expression = "(b) < (a)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_greater"; }
    template <class A, class B>
    constexpr bool operator()(const A& a, const B& b) const {
        return detail::is_less(b, a);
    }
};

/// True if `a == b`.
struct equal_to : detail::binary_functor<equal_to> {
    static constexpr std::string_view expression = "(a) == (b)";
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_equal_to"; }
    template <class A, class B>
    constexpr bool operator()(const A& a, const B& b) const {
        return detail::is_equal(a, b);
    }
};

/// `a` itself, unchanged.
struct identity_value {
    static constexpr std::string_view opencl_name() noexcept { return "pointsman_identity"; }
    static std::string opencl_source() { return "#define pointsman_identity(a) (a)\n"; }
    template <class T>
    constexpr T operator()(const T& a) const {
        return a;
    }
};

static_assert(device_function<plus> && device_function<greater>);

}  // namespace pointsman
