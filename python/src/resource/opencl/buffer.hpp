// SPDX-License-Identifier: Apache-2.0
// An array on a device, as Python sees it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "call_signature.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/resource/opencl/queue.hpp"

namespace pointsman::python {

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

/// The signature of a function that takes a shape and a dtype, and the layout that was passed to it.
/// **Throws**: what `array_layout` does, and `TypeError`, naming the argument, for what is no shape or dtype.
call_signature layout_signature(const std::string& function);
array_layout layout_of(const bound_arguments& given);

/// Device memory that remembers the layout of the array that it stands for.
struct device_buffer {
    binding::owned<cl::Buffer> memory;
    binding::owned<cl::Context> context;
    array_layout layout;
    opencl::object_id id = opencl::object_id::next();
};

/// **Throws**: `invalid_option` for a dtype in another byte order than this machine's, which devices
/// share.
void check_native(pybind11::handle dtype);

/// A copy of `array` (see `as_array`) on the device of `queue`.
device_buffer copy_to_device(const opencl::queue& queue, pybind11::handle array);

/// Device memory for an array, its contents undefined.
device_buffer allocate(const opencl::queue& queue, array_layout layout);

/// **Throws**: `invalid_option` when `buffer` belongs to another device than `queue`.
void check_same_device(const opencl::queue& queue, const device_buffer& buffer);

}  // namespace pointsman::python
