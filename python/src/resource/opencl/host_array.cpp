// SPDX-License-Identifier: Apache-2.0
// Finds the host memory of arrays, buffer-protocol objects, DLPack objects and bytes.
#include "resource/opencl/host_array.hpp"

#include <cstdint>
#include <string>

#include "has_attribute.hpp"

namespace pointsman::python {

namespace py = pybind11;

std::string text(py::handle object) { return py::str(object).cast<std::string>(); }

namespace {

py::module_ numpy() { return py::module_::import("numpy"); }

bool is_array(py::handle object) { return py::isinstance(object, numpy().attr("ndarray")); }

/// An array that uses the memory of `object`; None when `object` does not expose its memory.
py::object view_of(py::handle object) {
    if (is_array(object)) {
        return py::reinterpret_borrow<py::object>(object);
    }
    if (PyBytes_Check(object.ptr()) != 0) {  // asarray() would make a string of it
        return numpy().attr("frombuffer")(object, "uint8");
    }
    if (PyObject_CheckBuffer(object.ptr()) != 0) {
        return numpy().attr("asarray")(object);
    }
    if (has_attribute(object, "__dlpack__")) {
        return numpy().attr("from_dlpack")(object);
    }
    return py::none();
}

/// The first members of a DLPack tensor, from version 1.0.
struct versioned_tensor {
    std::uint32_t major;
    std::uint32_t minor;
    void* manager;
    void (*deleter)(void*);
    std::uint64_t flags;
};
constexpr std::uint64_t read_only = 1;

/// Returns true if the DLPack tensor of `object` is marked read-only, which needs DLPack 1.0 or later.
bool is_marked_read_only(py::handle object) {
    try {
        const py::object capsule =
            object.attr("__dlpack__")(py::arg("max_version") = py::make_tuple(1, 0));
        const char* const name = "dltensor_versioned";
        if (PyCapsule_IsValid(capsule.ptr(), name) == 0) {
            return false;
        }
        const auto* const tensor =
            static_cast<const versioned_tensor*>(PyCapsule_GetPointer(capsule.ptr(), name));
        return (tensor->flags & read_only) != 0;
    } catch (py::error_already_set& refused) {
        if (refused.matches(PyExc_TypeError)) {
            return false;  // an object from before DLPack 1.0, without the keyword
        }
        throw;
    }
}

}  // namespace

py::object as_array(py::handle object) {
    const py::object view = view_of(object);
    const py::handle source = view.is_none() ? object : py::handle{view};
    return numpy().attr("asarray")(source, py::arg("order") = "C");
}

py::object as_output(py::handle object) {
    py::object view = view_of(object);
    if (view.is_none()) {
        throw py::type_error{"cannot copy into " +
                             text(py::type::handle_of(object).attr("__name__")) +
                             ": pass a NumPy array, or an object with the buffer protocol or "
                             "DLPack in host memory"};
    }
    return view;
}

host_memory::access output_access(py::handle array, py::handle given) {
    const bool is_from_dlpack =
        PyObject_CheckBuffer(given.ptr()) == 0 && has_attribute(given, "__dlpack__");
    if (is_from_dlpack && !array.attr("flags").attr("writeable").cast<bool>() &&
        !is_marked_read_only(given)) {
        // NumPy treats tensors from before DLPack 1.0 as read-only; NumPy before 2.2.5, all tensors.
        return host_memory::access::read;
    }
    return host_memory::access::write;
}

void check_same_layout(const device_buffer& buffer, py::handle array, py::handle given) {
    const py::object dtype = array.attr("dtype");
    if (!is_array(given) && dtype.equal(numpy().attr("dtype")("uint8")) &&
        array.attr("nbytes").cast<std::size_t>() == buffer.layout.size_bytes) {
        return;
    }
    if (!dtype.equal(buffer.layout.dtype)) {
        throw py::type_error{"the buffer is of dtype " + text(buffer.layout.dtype) +
                             ", the array of " + text(dtype) + ": convert it with astype()"};
    }
    const py::object shape = array.attr("shape");
    if (!shape.equal(buffer.layout.shape)) {
        throw py::value_error{"the buffer has the shape " + text(buffer.layout.shape) +
                              ", the array " + text(shape)};
    }
}

}  // namespace pointsman::python
