// SPDX-License-Identifier: Apache-2.0
// Half-precision numbers, if the compiler supports them.
#pragma once

#include <concepts>

namespace pointsman {

/// True for types that hold a 16-bit floating number (IEEE 754 binary16). Specialise it for a type that
/// stores such numbers without arithmetic on them, and the algorithms order it like `half`.
template <class T>
inline constexpr bool is_half_v = false;

#ifdef __FLT16_MAX__
#define POINTSMAN_HAS_HALF
/// A 16-bit floating number (IEEE 754 binary16), also called `half` in OpenCL C. On x86-64 it needs
/// GCC 12, Clang 15 or later; elsewhere `POINTSMAN_HAS_HALF` is not defined. If the CPU has no arithmetic
/// for it, GCC computes an expression in `float` and rounds once, at its end. Device functions always
/// compute in `float`; the values that they return or store are rounded.
using half = _Float16;

template <>
inline constexpr bool is_half_v<half> = true;
#endif

/// `float`, `double` or another floating type of C++, or `half`.
template <class T>
concept floating_number = std::floating_point<T> || is_half_v<T>;

}  // namespace pointsman
