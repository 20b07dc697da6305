// SPDX-License-Identifier: Apache-2.0
// Loops of the commonest functions, which on a few hundred values cost less than NumPy's own.
#pragma once

#include <cstddef>
#include <string_view>

namespace pointsman::python {

/// Applies a function to `count` neighbouring values of each operand. `out` overlaps no operand, but several operands
/// may be the same.
using native_loop = void (*)(const char* const* operands, char* out, std::size_t count);

/// The loop of the NumPy function `name` for `types` such as "ff->f", whose results are NumPy's bit for bit but for the
/// signs of NaN; null if there is none. Comparisons may raise `FE_INVALID` for NaN, which NumPy's do not.
[[nodiscard]] native_loop native_loop_of(std::string_view name, std::string_view types) noexcept;

/// The loop `mask ? a : b` for values of `size_bytes` and a mask of bytes, of which any but 0 is true.
[[nodiscard]] native_loop selecting_loop(std::size_t size_bytes) noexcept;

/// The loop `x < y ? a : b`, or with another comparison that `name` and `types` tell as for `native_loop_of`; null if there
/// is none. Its four operands are all as wide as `x`.
[[nodiscard]] native_loop comparing_loop(std::string_view name, std::string_view types) noexcept;

}  // namespace pointsman::python
