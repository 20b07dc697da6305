// SPDX-License-Identifier: Apache-2.0
// Hashes of Python objects that are the same in every process, as Python's own hashes of texts are not.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>

namespace pointsman::python {

namespace py = pybind11;

/// How numbers are told apart.
enum class numbers_by : std::uint8_t {
    value,  ///< as `==` does: 1, 1.0 and True are equal
    text,   ///< by type and `repr`, as code does
};

/// Hashes texts, bytes, numbers, None, Ellipsis, code objects, and tuples and frozen sets of them by their
/// contents; empty for any other object. GIL held.
[[nodiscard]] std::optional<std::uint64_t> fingerprint_of(const py::handle& object,
                                                          numbers_by how = numbers_by::value);

}  // namespace pointsman::python
