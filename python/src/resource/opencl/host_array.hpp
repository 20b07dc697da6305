// SPDX-License-Identifier: Apache-2.0
// Views objects that hold numbers in host memory as NumPy arrays, and checks their layout.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "resource/opencl/buffer.hpp"
#include "resource/opencl/host_memory.hpp"

namespace pointsman::python {

/// `str(object)`.
std::string text(pybind11::handle object);

/// The numbers in `object` as a C-contiguous NumPy array. An array, or an object with the buffer protocol
/// or with DLPack on the host, is not copied if it is contiguous; NumPy converts any other object.
/// `bytes` become uint8.
pybind11::object as_array(pybind11::handle object);

/// The memory of `object` as a NumPy array to write to; never a copy.
/// **Throws**: `TypeError` when `object` has neither the buffer protocol nor DLPack.
pybind11::object as_output(pybind11::handle object);

/// The access with which to request the memory of `array`, which `as_output` made of `given`, in order to
/// write to it: `read` where NumPy marks writable memory of DLPack read-only.
host_memory::access output_access(pybind11::handle array, pybind11::handle given);

/// Checks that `array`, which `as_array` or `as_output` made of `given`, has the dtype and shape of
/// `buffer`, or, if `given` is not an array, as many plain bytes.
/// **Throws**: `TypeError`, `ValueError`.
void check_same_layout(const device_buffer& buffer, pybind11::handle array, pybind11::handle given);

}  // namespace pointsman::python
