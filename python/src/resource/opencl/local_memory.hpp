// SPDX-License-Identifier: Apache-2.0
// The Python class LocalMemory: a kernel argument that gives only a size.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

namespace pointsman::python {

/// `size_bytes` bytes of local memory for each work group, their contents undefined.
struct local_memory {
    /// **Throws**: `invalid_option` for a size of zero.
    explicit local_memory(std::size_t size);

    std::size_t size_bytes;
};

}  // namespace pointsman::python
