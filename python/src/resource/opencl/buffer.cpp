// SPDX-License-Identifier: Apache-2.0
// Registers Buffer.
#include "resource/opencl/buffer.hpp"

#include <limits>
#include <string>
#include <utility>

#include "gil.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/registers.hpp"

namespace fairlead::python {
namespace {

std::string text(py::handle object) { return py::str(object).cast<std::string>(); }

/// Whether arrays of `dtype` are plain bytes; nothing else can live on a device.
void check_plain(py::handle dtype) {
    if (dtype.attr("hasobject").cast<bool>()) {
        throw py::type_error{"an array of dtype " + text(dtype) +
                             " holds Python objects, which cannot be on a device"};
    }
}

std::size_t size_in_bytes(const py::tuple& shape, py::handle dtype) {
    auto size = dtype.attr("itemsize").cast<std::size_t>();
    for (const py::handle extent : shape) {
        const auto factor = extent.cast<std::size_t>();
        if (factor != 0 && size > std::numeric_limits<std::size_t>::max() / factor) {
            throw invalid_option{"an array of shape " + text(shape) + " does not fit in memory"};
        }
        size *= factor;
    }
    if (size == 0) {
        throw invalid_option{"an array of shape " + text(shape) + " and dtype " + text(dtype) +
                             " is empty: OpenCL has no buffers of 0 bytes"};
    }
    return size;
}

/// An int or a sequence of ints, as NumPy takes them.
py::tuple shape_of(py::handle shape) {
    const py::object index = py::module_::import("operator").attr("index");
    py::list extents;
    if (PyIndex_Check(shape.ptr()) != 0) {
        extents.append(index(shape));
    } else {
        for (const py::handle extent : shape) {
            extents.append(index(extent));
        }
    }
    for (const py::handle extent : extents) {
        if (extent.cast<long long>() < 0) {
            throw invalid_option{"the shape " + text(py::tuple(extents)) +
                                 " has a negative extent: pass extents from 1"};
        }
    }
    return py::tuple(extents);
}

cl::Buffer make_memory(const cl::Context& context, std::size_t size_bytes, void* contents) {
    const gil_released others_may_run;
    return opencl::detail::translated([&] {
        return cl::Buffer{context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0U),
                          size_bytes, contents};
    });
}

}  // namespace

py::object as_contiguous(py::handle array) {
    return py::module_::import("numpy").attr("asarray")(array, py::arg("order") = "C");
}

device_buffer copy_to_device(const opencl::queue& queue, py::handle array) {
    const py::object source = as_contiguous(array);
    py::tuple shape = source.attr("shape");
    py::object dtype = source.attr("dtype");
    check_plain(dtype);
    const std::size_t size = size_in_bytes(shape, dtype);
    const host_memory contents{source, host_memory::access::read};
    return {make_memory(queue.context(), size, contents.data()), queue.context(), std::move(shape),
            std::move(dtype), size};
}

device_buffer allocate(const opencl::queue& queue, py::handle shape, py::handle dtype) {
    py::tuple extents = shape_of(shape);
    py::object type = py::module_::import("numpy").attr("dtype")(dtype);
    check_plain(type);
    const std::size_t size = size_in_bytes(extents, type);
    return {make_memory(queue.context(), size, nullptr), queue.context(), std::move(extents),
            std::move(type), size};
}

void check_same_layout(const device_buffer& buffer, py::handle array) {
    if (!py::isinstance(array, py::module_::import("numpy").attr("ndarray"))) {
        throw py::type_error{"expected a NumPy array of shape " + text(buffer.shape) +
                             " and dtype " + text(buffer.dtype) + ", given " +
                             text(py::type::handle_of(array).attr("__name__"))};
    }
    const py::object dtype = array.attr("dtype");
    if (!dtype.equal(buffer.dtype)) {
        throw py::type_error{"the buffer is of dtype " + text(buffer.dtype) + ", the array of " +
                             text(dtype) + ": convert it with astype()"};
    }
    const py::object shape = array.attr("shape");
    if (!shape.equal(buffer.shape)) {
        throw py::value_error{"the buffer has the shape " + text(buffer.shape) + ", the array " +
                              text(shape)};
    }
}

void check_same_device(const opencl::queue& queue, const device_buffer& buffer) {
    if (buffer.context() != queue.context()()) {
        throw invalid_option{"the buffer of shape " + text(buffer.shape) +
                             " belongs to another device: make it with queue.buffer() or "
                             "queue.empty() of the queue that uses it, or make both queues on "
                             "devices of share_context() or split()"};
    }
}

void register_opencl_buffer(py::module_& m) {
    py::class_<device_buffer>(m, "Buffer",
                              R"(An array on a device; made by ``Queue.buffer`` and ``Queue.empty``.

It serves every queue on the same device, and on the devices that share its context. A command that uses it keeps its memory alive.)")
        .def_readonly("shape", &device_buffer::shape, "Shape of the array.")
        .def_readonly("dtype", &device_buffer::dtype, "NumPy dtype of the array.")
        .def_readonly("nbytes", &device_buffer::size_bytes, "Size in bytes.")
        .def("__repr__", [](const device_buffer& b) {
            return "Buffer(shape=" + text(b.shape) + ", dtype=" + text(b.dtype) + ")";
        });
}

}  // namespace fairlead::python
