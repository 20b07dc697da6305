// SPDX-License-Identifier: Apache-2.0
// Recognises arrays and views of memory that Queue.pinned made.
#pragma once

#include <pybind11/pybind11.h>

namespace pointsman::python {

/// Returns true if a NumPy array lies in memory that `Queue.pinned` made.
[[nodiscard]] bool is_pinned(pybind11::handle array);

}  // namespace pointsman::python
