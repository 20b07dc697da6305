// SPDX-License-Identifier: Apache-2.0
// Local memory, as Python passes it to a kernel.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

namespace pointsman::python {

/// So many bytes for each work group, their contents undefined.
struct local_memory {
    /// **Throws**: `invalid_option` for a size of zero.
    explicit local_memory(std::size_t size);

    std::size_t size_bytes;
};

}  // namespace pointsman::python
