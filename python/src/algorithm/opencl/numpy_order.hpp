// SPDX-License-Identifier: Apache-2.0
// The minimum and maximum of two numbers as in NumPy: NaN if either number is NaN.
#pragma once

#include <string_view>

#include "pointsman/algorithm/functors.hpp"
#include "pointsman/binding/algorithm.hpp"

namespace pointsman::python {

struct numpy_minimum : binding::binary_functor<numpy_minimum> {
    static constexpr std::string_view expression = "(a) <= (b) || (a) != (a) ? (a) : (b)";
    static constexpr std::string_view opencl_name() noexcept { return "numpy_minimum"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a <= b || a != a ? a : b;
    }
};

struct numpy_maximum : binding::binary_functor<numpy_maximum> {
    static constexpr std::string_view expression = "(a) >= (b) || (a) != (a) ? (a) : (b)";
    static constexpr std::string_view opencl_name() noexcept { return "numpy_maximum"; }
    template <class T>
    constexpr T operator()(const T& a, const T& b) const {
        return a >= b || a != a ? a : b;
    }
};

}  // namespace pointsman::python
