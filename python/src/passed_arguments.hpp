// SPDX-License-Identifier: Apache-2.0
// Arguments of a Python call.
#pragma once

#include <Python.h>

namespace pointsman::python {

/// Arguments as Python passes them to a native function.
struct passed_arguments {
    PyObject* const* values;  ///< those by position, then those by keyword
    Py_ssize_t by_position;
    PyObject* keywords;  ///< a tuple of the names; null when there are none

    [[nodiscard]] Py_ssize_t by_keyword() const noexcept {
        return keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    }
};

}  // namespace pointsman::python
