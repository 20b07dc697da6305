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
/// signs of NaN; null if there is none. Comparisons of NaN may raise `FE_INVALID` on processors without AVX; NumPy's do
/// not.
[[nodiscard]] native_loop native_loop_of(std::string_view name, std::string_view types) noexcept;

/// Returns for how many of `count` pairs of values a comparison holds.
using counting_loop = std::size_t (*)(const char* const* operands, std::size_t count);

/// The loop that counts what the comparison `name` of `types` finds true; null if there is none.
[[nodiscard]] counting_loop counting_loop_of(std::string_view name,
                                             std::string_view types) noexcept;

/// The loop `mask ? a : b` for values of `size_bytes`. The mask has a byte for each value: 0 is false, all others true.
[[nodiscard]] native_loop selecting_loop(std::size_t size_bytes) noexcept;

/// The loop `x < y ? a : b` for the comparison `name` of `types`, as in `native_loop_of`; null if there is none. All four
/// operands have values of one width.
[[nodiscard]] native_loop comparing_loop(std::string_view name, std::string_view types) noexcept;

/// The loop of the NumPy function "maximum" or "minimum" of a value and a constant that is no NaN; null if there is none.
/// NumPy's own takes three times as long beside a constant. The loop returns the value if the constant equals it and it
/// `returns_value`, otherwise the constant: zeros of two signs are equal.
[[nodiscard]] native_loop bounding_loop(std::string_view name, std::string_view types,
                                        bool returns_value) noexcept;

/// The loop of `outer(inner(x, a), b)` for constants `a` and `b` that are no NaN, where `outer` is "maximum" or "minimum"
/// and `inner` the other one, as in a clip; null if there is none. Both return as in `bounding_loop`.
[[nodiscard]] native_loop clipping_loop(std::string_view outer, std::string_view types,
                                        bool returns_value) noexcept;

/// Returns true if a joined loop can do the NumPy function `name` for `types` together with another one.
[[nodiscard]] bool can_be_joined(std::string_view name, std::string_view types) noexcept;

/// The loop of `native_loop_of` that computes its operands too: by the functions `left` and `right` of two operands of
/// the same type each, or, where one of these is empty, not at all. Null if there is none.
[[nodiscard]] native_loop joined_loop(std::string_view name, std::string_view types,
                                      std::string_view left, std::string_view right) noexcept;

/// The loop of `comparing_loop` that computes likewise what it chooses from; for `less`, `less_equal` and `equal`.
[[nodiscard]] native_loop joined_comparing_loop(std::string_view name, std::string_view types,
                                                std::string_view left,
                                                std::string_view right) noexcept;

}  // namespace pointsman::python
