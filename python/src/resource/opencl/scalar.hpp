// SPDX-License-Identifier: Apache-2.0
// The scalar types of OpenCL C, and how a Python number becomes one.
#pragma once

#include <Python.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace pointsman::python {

/// The bytes of one scalar, from the first on.
using scalar_bytes = std::array<std::byte, 8>;

/// A scalar type of OpenCL C with its twin in NumPy.
struct scalar_type {
    /// What became of a number.
    enum class outcome : std::uint8_t { packed, out_of_range, not_an_integer };

    const char* name;
    const char* numpy;
    std::size_t size_bytes;
    /// Writes an int or a float, or an object of a type derived from them, to `bytes`.
    outcome (*pack)(PyObject* number, scalar_bytes& bytes);

    /// The type that OpenCL C calls `name`; null for any other type.
    static const scalar_type* find(std::string name);
};

}  // namespace pointsman::python
