// SPDX-License-Identifier: Apache-2.0
// An array on a device, as Python sees it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

#include "fairlead/resource/opencl/owned.hpp"
#include "fairlead/resource/opencl/queue.hpp"

namespace fairlead::python {

/// What an array is made of: a tuple of extents and a NumPy dtype.
struct array_layout {
    /// `extents` is an int or a sequence of ints, as NumPy takes them; `type` becomes a dtype.
    /// **Throws**: `TypeError` for a dtype of Python objects, `invalid_option` for an array that
    /// is empty or fits in no memory.
    array_layout(pybind11::handle extents, pybind11::handle type);

    pybind11::tuple shape;
    pybind11::object dtype;
    std::size_t size_bytes;
};

/// Device memory that remembers the layout of the array that it stands for.
struct device_buffer {
    opencl::detail::owned<cl::Buffer> memory;
    opencl::detail::owned<cl::Context> context;
    array_layout layout;
};

/// **Throws**: `invalid_option` for a dtype in another byte order than this machine's, which devices
/// share.
void check_native(pybind11::handle dtype);

/// A copy of `array` (see `as_array`) on the device of `queue`.
device_buffer copy_to_device(const opencl::queue& queue, pybind11::handle array);

/// Device memory for an array, its contents undefined.
device_buffer allocate(const opencl::queue& queue, pybind11::handle shape, pybind11::handle dtype);

/// **Throws**: `invalid_option` when `buffer` belongs to another device than `queue`.
void check_same_device(const opencl::queue& queue, const device_buffer& buffer);

}  // namespace fairlead::python
