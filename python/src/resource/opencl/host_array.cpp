// SPDX-License-Identifier: Apache-2.0
// Finds the host memory behind what users pass for an array.
#include "resource/opencl/host_array.hpp"

#include <cstdint>
#include <string>

namespace pointsman::python {

namespace py = pybind11;

std::string text(py::handle object) { return py::str(object).cast<std::string>(); }

namespace {

py::module_ numpy() { return py::module_::import("numpy"); }

bool is_array(py::handle object) { return py::isinstance(object, numpy().attr("ndarray")); }

/// The array in the memory of `object`; None when that is out of reach.
py::object view_of(py::handle object) {
    if (is_array(object)) {
        return py::reinterpret_borrow<py::object>(object);
    }
    if (PyBytes_Check(object.ptr()) != 0) {  // of which asarray() makes a string
        return numpy().attr("frombuffer")(object, "uint8");
    }
    if (PyObject_CheckBuffer(object.ptr()) != 0) {
        return numpy().attr("asarray")(object);
    }
    if (py::hasattr(object, "__dlpack__")) {
        return numpy().attr("from_dlpack")(object);
    }
    return py::none();
}

/// How a tensor of DLPack begins from version 1.0 on.
struct versioned_tensor {
    std::uint32_t major;
    std::uint32_t minor;
    void* manager;
    void (*deleter)(void*);
    std::uint64_t flags;
};
constexpr std::uint64_t read_only = 1;

/// Returns true if the object's DLPack says that its memory is read-only; the first version cannot.
bool says_read_only(py::handle object) {
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
            return false;  // it does not know the keyword
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
        PyObject_CheckBuffer(given.ptr()) == 0 && py::hasattr(given, "__dlpack__");
    if (is_from_dlpack && !array.attr("flags").attr("writeable").cast<bool>() &&
        !says_read_only(given)) {
        return host_memory::access::read;  // NumPy takes memory of the first DLPack for read-only,
    }  // and before 2.2.5 all of DLPack's
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
