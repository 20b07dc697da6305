// SPDX-License-Identifier: Apache-2.0
// Objects of any kind that hold numbers in host memory, as NumPy arrays.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "resource/opencl/buffer.hpp"
#include "resource/opencl/host_memory.hpp"

namespace pointsman::python {

/// What Python's `str` makes of `object`.
std::string text(pybind11::handle object);

/// The numbers in `object` as a C-contiguous NumPy array: an array itself, anything with the
/// buffer protocol or with DLPack on the host, in the same memory where that is contiguous, else
/// what NumPy makes an array of. `bytes` are uint8.
pybind11::object as_array(pybind11::handle object);

/// The memory of `object` as a NumPy array to write to; it is never a copy.
/// **Throws**: `TypeError` when `object` has neither the buffer protocol nor DLPack.
pybind11::object as_output(pybind11::handle object);

/// How to ask for the memory of `array`, which `as_output` made of `given`, to write to it.
host_memory::access output_access(pybind11::handle array, pybind11::handle given);

/// `array`, which `as_array` or `as_output` made of `given`, holds what `buffer` does: the same
/// dtype and shape, or, where `given` is not an array, as many plain bytes.
/// **Throws**: `TypeError`, `ValueError`.
void check_same_layout(const device_buffer& buffer, pybind11::handle array, pybind11::handle given);

}  // namespace pointsman::python
