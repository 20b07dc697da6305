// SPDX-License-Identifier: Apache-2.0
// Recognises arrays and views of memory that Queue.pinned made.
#pragma once

#include <pybind11/pybind11.h>

#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/buffer.hpp"

namespace pointsman::python {

/// Returns a new NumPy array in pinned memory, its contents undefined. GIL held.
/// **Throws**: `opencl::error`; `py::error_already_set` when out of memory.
[[nodiscard]] pybind11::object pinned_array(const opencl::queue& queue, const array_layout& layout);

/// Returns true if a NumPy array lies in memory that `Queue.pinned` made.
[[nodiscard]] bool is_pinned(pybind11::handle array);

}  // namespace pointsman::python
