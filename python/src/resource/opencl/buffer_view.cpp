// SPDX-License-Identifier: Apache-2.0
// Adds Buffer.view, which reinterprets the bytes of a buffer as values of another dtype, as NumPy does.
#include <pybind11/pybind11.h>

#include <cstddef>
#include <string>

#include "checked_method.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/host_array.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

/// The shape that NumPy gives to a view of an array: the last axis has more or fewer elements.
/// **Throws**: `invalid_option` if the last axis is not a whole number of the new elements.
py::tuple shape_of_view(const array_layout& whole, std::size_t old_bytes, std::size_t new_bytes) {
    if (old_bytes == new_bytes) {
        return whole.shape;
    }
    py::list extents{whole.shape};
    const std::size_t last = extents.size() - 1;
    const std::size_t row_bytes =
        extents.empty() ? 0 : extents[last].cast<std::size_t>() * old_bytes;
    if (row_bytes == 0 || row_bytes % new_bytes != 0) {
        throw invalid_option{"view(): the last axis of a buffer of shape " + text(whole.shape) +
                             " and dtype " + text(whole.dtype) +
                             " is not a whole number of elements of " + std::to_string(new_bytes) +
                             " bytes: pass a dtype whose size divides it"};
    }
    extents[last] = row_bytes / new_bytes;
    return py::tuple(extents);
}

/// The layout of one element of the dtype that was passed.
array_layout element_layout(const bound_arguments& given) {
    try {
        return {py::tuple{}, given.get(0)};
    } catch (const py::error_already_set& raised) {
        if (!raised.matches(PyExc_TypeError)) {
            throw;
        }
        throw py::type_error{given.misfit(0)};
    }
}

device_buffer view(const device_buffer& whole, const bound_arguments& given) {
    const array_layout element = element_layout(given);
    device_buffer same = whole;
    const auto old_bytes = whole.layout.dtype.attr("itemsize").cast<std::size_t>();
    same.layout =
        array_layout{shape_of_view(whole.layout, old_bytes, element.size_bytes), element.dtype};
    return same;
}

}  // namespace

void add_opencl_buffer_view(py::class_<device_buffer>& registered) {
    add_checked(
        registered, {"view", {{"dtype", nullptr, "a NumPy dtype or its name"}}},
        R"(Return a ``Buffer`` in the same memory whose bytes are values of ``dtype``, as NumPy's ``view``.

``queue.enqueue`` then checks that dtype against the kernel's parameters: a kernel that takes ``uchar*``
to read the bytes of floats gets ``buffer.view("uint8")``. Raises InvalidOptionError (a ValueError) if the
last axis is not a whole number of elements of the new size.)",
        &view);
}

}  // namespace pointsman::python
