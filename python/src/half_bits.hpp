// SPDX-License-Identifier: Apache-2.0
// NumPy's float16 as raw bits, also for compilers without a half-precision type.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>

#include "pointsman/algorithm/half.hpp"

namespace pointsman::python {

/// A float16 that is only moved and compared.
struct half_bits {
    std::uint16_t bits;

    [[nodiscard]] constexpr int magnitude() const noexcept { return bits & 0x7fff; }
    [[nodiscard]] constexpr bool is_nan() const noexcept { return magnitude() > 0x7c00; }
    /// Returns an integer that orders as the number does; the same for +0 and -0.
    [[nodiscard]] constexpr int rank() const noexcept {
        return bits < 0x8000 ? magnitude() : -magnitude();
    }

    friend constexpr bool operator<(half_bits a, half_bits b) noexcept {
        return !a.is_nan() && !b.is_nan() && a.rank() < b.rank();
    }
    friend constexpr bool operator==(half_bits a, half_bits b) noexcept {
        return !a.is_nan() && !b.is_nan() && a.rank() == b.rank();
    }
};

}  // namespace pointsman::python

template <>
inline constexpr bool pointsman::is_half_v<pointsman::python::half_bits> = true;

template <>
struct pybind11::detail::npy_format_descriptor<pointsman::python::half_bits> {
    static constexpr auto name = const_name("numpy.float16");
    static pybind11::dtype dtype() { return pybind11::dtype{"e"}; }
};
