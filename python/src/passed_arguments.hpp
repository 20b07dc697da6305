// SPDX-License-Identifier: Apache-2.0
// The arguments of a call in the layout that CPython passes to METH_FASTCALL functions.
#pragma once

#include <Python.h>

namespace pointsman::python {

/// Refers to the arguments; owns nothing.
struct passed_arguments {
    PyObject* const* values;  ///< the positional arguments, then the keyword arguments
    Py_ssize_t by_position;   ///< number of positional arguments
    PyObject* keywords;       ///< a tuple of the keyword names; null if there are none

    [[nodiscard]] Py_ssize_t by_keyword() const noexcept {
        return keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
    }
};

}  // namespace pointsman::python
