// SPDX-License-Identifier: Apache-2.0
// The scalar types of OpenCL C, and the range-checked conversion of Python numbers to them.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pointsman::python {

/// Storage for any scalar, which begins at the first byte.
using scalar_bytes = std::array<std::byte, 8>;

/// A scalar type of OpenCL C with the equivalent NumPy type.
struct scalar_type {
    /// Result of packing a number.
    enum class outcome : std::uint8_t { packed, out_of_range, not_an_integer };

    const char* name;
    const char* numpy;
    std::size_t size_bytes;
    /// Writes an int, a float or an instance of a subclass of either to `bytes`.
    outcome (*pack)(PyObject* number, scalar_bytes& bytes);

    /// The type that OpenCL C calls `name`; null for any other type.
    static const scalar_type* find(std::string name);
};

}  // namespace pointsman::python
