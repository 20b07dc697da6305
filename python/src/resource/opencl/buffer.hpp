// SPDX-License-Identifier: Apache-2.0
// The Python class Buffer: device memory with the shape and dtype of its array.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "call_signature.hpp"
#include "pointsman/binding/opencl.hpp"
#include "pointsman/resource/opencl/queue.hpp"
#include "resource/opencl/element_type.hpp"

namespace pointsman::python {

/// The shape of an array and its NumPy dtype, checked for use on a device.
struct array_layout {
    /// `extents` is an int or a sequence of ints, as NumPy takes them; `type` becomes a dtype.
    /// **Throws**: `TypeError` for a dtype of Python objects, `invalid_option` for an array that
    /// is empty or too large for any memory.
    array_layout(pybind11::handle extents, pybind11::handle type);

    pybind11::tuple shape;
    pybind11::object dtype;
    std::size_t size_bytes;
    element_type element;
};

/// The signature of a function that takes a shape and a dtype.
call_signature layout_signature(const std::string& function);
/// The layout that was passed to a function of that signature.
/// **Throws**: the exceptions of `array_layout`; `TypeError`, naming the argument, for an invalid shape or
/// dtype.
array_layout layout_of(const bound_arguments& given);

/// Device memory with the layout of the array that it holds.
struct device_buffer {
    binding::owned<cl::Buffer> memory;
    binding::owned<cl::Context> context;
    array_layout layout;
    opencl::object_id id = opencl::object_id::next();
    pybind11::object uploaded = pybind11::none();  // the Event of a copy that may still be running
};

/// **Throws**: `invalid_option` for a dtype in another byte order than that of this machine and its
/// devices.
void check_native(pybind11::handle dtype);

/// Device memory for an array: a copy of `contents`, or undefined contents if it is null.
device_buffer allocate(const opencl::queue& queue, array_layout layout, void* contents = nullptr);

/// **Throws**: `invalid_option` when `buffer` belongs to another device than `queue`.
void check_same_device(const opencl::queue& queue, const device_buffer& buffer);

}  // namespace pointsman::python
