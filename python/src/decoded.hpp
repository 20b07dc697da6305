// SPDX-License-Identifier: Apache-2.0
// Converts text that drivers and files supply, in any encoding, to a Python string.
#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

namespace pointsman::python {

/// The text as a `str`, in which bytes that are no UTF-8 are escapes such as "\xff". GIL held.
/// **Throws**: `MemoryError`.
[[nodiscard]] inline pybind11::str decoded(std::string_view text) {
    PyObject* const made =
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
    if (made == nullptr) {
        throw pybind11::error_already_set{};
    }
    return pybind11::reinterpret_steal<pybind11::str>(made);
}

}  // namespace pointsman::python
