// SPDX-License-Identifier: Apache-2.0
// An array on a device, as Python sees it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

#include "fairlead/resource/opencl/queue.hpp"

namespace fairlead::python {

/// Device memory that remembers the shape and dtype of the array that it stands for.
struct device_buffer {
    cl::Buffer memory;
    cl::Context context;
    pybind11::tuple shape;
    pybind11::object dtype;
    std::size_t size_bytes;
};

/// The buffer behind a Python object; null when it is none. GIL held.
const device_buffer* as_buffer(PyObject* object);

/// `array` as a C-contiguous NumPy array; itself when it is one already.
pybind11::object as_contiguous(pybind11::handle array);

/// A copy of `array` on the device of `queue`.
device_buffer copy_to_device(const opencl::queue& queue, pybind11::handle array);

/// Device memory for an array, its contents undefined.
device_buffer allocate(const opencl::queue& queue, pybind11::handle shape, pybind11::handle dtype);

/// **Throws**: `ValueError` or `TypeError` when `array` has another shape or dtype than `buffer`.
void check_same_layout(const device_buffer& buffer, pybind11::handle array);

/// **Throws**: `invalid_option` when `buffer` belongs to another device than `queue`.
void check_same_device(const opencl::queue& queue, const device_buffer& buffer);

}  // namespace fairlead::python
