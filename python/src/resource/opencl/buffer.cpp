// SPDX-License-Identifier: Apache-2.0
// Registers Buffer; validates shapes and dtypes and copies arrays to devices.
#include "resource/opencl/buffer.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "gil.hpp"
#include "pointsman/binding/opencl.hpp"
#include "resource/opencl/host_array.hpp"
#include "resource/opencl/registers.hpp"

namespace pointsman::python {
namespace {

/// Checks that arrays of `dtype` are plain bytes, which is all that a device can hold.
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

/// Checked here since some drivers allocate a buffer, or fail to, only at its first use.
void check_fits(const opencl::device& device, std::size_t size_bytes) {
    const std::size_t memory_bytes = device.global_memory_bytes();
    if (size_bytes > memory_bytes) {
        throw invalid_option{"a buffer of " + std::to_string(size_bytes) +
                             " bytes does not fit on " + device.label() + ", which has " +
                             std::to_string(memory_bytes)};
    }
}

cl::Buffer make_memory(const opencl::queue& queue, std::size_t size_bytes, void* contents) {
    check_fits(queue.device(), size_bytes);
    const gil_released others_may_run;
    return binding::translated(
        [&] {
            return cl::Buffer{queue.context(),
                              CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0U),
                              size_bytes, contents};
        },
        [&] { return "a buffer of " + std::to_string(size_bytes) + " bytes: "; });
}

/// The buffer of which `buffer` is a sub-buffer; null if it is not a sub-buffer.
cl::Memory parent_of(const device_buffer& buffer) {
    return cl::Memory{buffer.memory.getInfo<CL_MEM_ASSOCIATED_MEMOBJECT>()};
}

/// The address of the context, which identifies it while something refers to it.
std::uintptr_t identity(const device_buffer& of) {
    return reinterpret_cast<std::uintptr_t>(of.context());
}
std::uintptr_t identity(const opencl::queue& of) {
    return reinterpret_cast<std::uintptr_t>(of.context()());
}

/// Compares parent buffers: every sub-buffer begins at the start of its parent.
bool share_memory(const device_buffer& a, const device_buffer& b) {
    binding::check_not_forked();
    const auto memory = [](const device_buffer& each) {
        const cl::Memory parent = parent_of(each);
        return parent() == nullptr ? each.memory() : parent();
    };
    return binding::translated([&] { return memory(a) == memory(b); });
}

/// A sub-buffer of the first `size` values, in the same memory.
device_buffer beginning(const device_buffer& whole, std::size_t size) {
    array_layout layout{py::int_(size), whole.layout.dtype};
    if (layout.size_bytes > whole.layout.size_bytes) {
        throw invalid_option{"a buffer of shape " + text(whole.layout.shape) + " has no " +
                             std::to_string(size) + " values to begin with"};
    }
    binding::check_not_forked();
    return binding::translated([&] {
        // OpenCL makes no sub-buffer of a sub-buffer; both begin at the start of the parent.
        const cl::Memory parent = parent_of(whole);
        cl::Buffer from{parent() == nullptr ? whole.memory() : parent(), true};
        const cl_buffer_region region{0, layout.size_bytes};
        return device_buffer{
            from.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region),
            whole.context, std::move(layout)};
    });
}

std::size_t item_size(const device_buffer& buffer) {
    return buffer.layout.dtype.attr("itemsize").cast<std::size_t>();
}

std::size_t length(const device_buffer& buffer) {
    if (buffer.layout.shape.empty()) {
        throw py::type_error{"a buffer of shape () has no len()"};
    }
    return buffer.layout.shape[0].cast<std::size_t>();
}

[[noreturn]] void refuse_conversion(const device_buffer&, const py::args&, const py::kwargs&) {
    throw py::type_error{
        "a Buffer is on its device and does not become a NumPy array by itself: copy it with "
        "queue.read(buffer)"};
}

}  // namespace

void check_native(py::handle dtype) {
    if (!dtype.attr("isnative").cast<bool>()) {
        throw invalid_option{"values of dtype " + text(dtype) +
                             " are not in the byte order of the device: convert the array with "
                             ".astype(array.dtype.newbyteorder('='))"};
    }
}

array_layout::array_layout(py::handle extents, py::handle type)
    : shape{shape_of(extents)},
      dtype{py::module_::import("numpy").attr("dtype")(type)},
      element{dtype} {
    check_plain(dtype);
    check_native(dtype);
    size_bytes = size_in_bytes(shape, dtype);
}

call_signature layout_signature(const std::string& function) {
    return {function,
            {{"shape", nullptr, "an int or a sequence of ints, from 1"},
             {"dtype", nullptr, "a NumPy dtype or its name"}}};
}

array_layout layout_of(const bound_arguments& given) {
    py::object dtype = given.get(1);
    std::size_t wrong = 1;
    try {
        dtype = py::module_::import("numpy").attr("dtype")(dtype);
        wrong = 0;
        return array_layout{given.get(0), dtype};
    } catch (const py::cast_error&) {
        throw invalid_option{given.misfit(0)};  // an int too large for any memory
    } catch (const py::error_already_set& raised) {
        if (!raised.matches(PyExc_TypeError)) {
            throw;
        }
        throw py::type_error{given.misfit(wrong)};
    }
}

device_buffer allocate(const opencl::queue& queue, array_layout layout, void* contents) {
    return {make_memory(queue, layout.size_bytes, contents), queue.context(), std::move(layout)};
}

void check_same_device(const opencl::queue& queue, const device_buffer& buffer) {
    if (buffer.context() != queue.context()()) {
        throw invalid_option{
            "the buffer of shape " + text(buffer.layout.shape) +
            " belongs to another device or context: make it with queue.buffer() or "
            "queue.empty() of the queue that uses it, or make both queues on "
            "devices of share_context() or split()"};
    }
}

void register_opencl_buffer(py::module_& m) {
    py::class_<device_buffer> registered(
        m, "Buffer", R"(An array on a device; made by ``Queue.buffer`` and ``Queue.empty``.

The elements are contiguous in C order. Every queue on the same device can use the buffer, and every
queue on a device that shares its context: the devices that ``share_context`` returns are equal to
the devices passed to it but do not share buffers with them. A command keeps the memory of its
buffers alive. ``Queue.enqueue`` checks the dtype against the kernel's parameters; ``view`` reinterprets
the bytes.

``np.asarray(buffer)`` raises TypeError, since the conversion would hide a copy and a wait:
``queue.read(buffer)`` makes an array.

>>> queue = pm.opencl.Queue()
>>> buffer = queue.buffer(np.arange(4, dtype=np.float32))
>>> buffer.shape, buffer.nbytes
((4,), 16)
>>> queue.read(buffer)
array([0., 1., 2., 3.], dtype=float32))");
    registered
        .def_property_readonly(
            "shape", [](const device_buffer& b) { return b.layout.shape; },
            "Shape of the array, a tuple of ints.")
        .def_property_readonly(
            "dtype", [](const device_buffer& b) { return b.layout.dtype; },
            "NumPy dtype of the array.")
        .def_property_readonly(
            "ndim", [](const device_buffer& b) { return b.layout.shape.size(); }, "Number of axes.")
        .def_property_readonly(
            "size", [](const device_buffer& b) { return b.layout.size_bytes / item_size(b); },
            "Number of elements.")
        .def_property_readonly("itemsize", &item_size, "Size of an element in bytes.")
        .def_property_readonly(
            "nbytes", [](const device_buffer& b) { return b.layout.size_bytes; }, "Size in bytes.")
        .def_property_readonly(
            "uploaded", [](const device_buffer& b) { return b.uploaded; },
            "Event of the copy that ``queue.buffer(array, blocking=False)`` started; otherwise "
            "None.")
        .def("__len__", &length)
        .def("__array__", &refuse_conversion)
        .def("__repr__", [](const device_buffer& b) {
            return "Buffer(shape=" + text(b.layout.shape) + ", dtype=" + text(b.layout.dtype) + ")";
        });
    add_opencl_buffer_view(registered);
    constexpr auto* about_context = R"(context_of(owner)
--

Return an int that identifies the OpenCL context of a buffer or a queue: queues of the same context can
use the same buffers.)";
    m.def("context_of", py::overload_cast<const device_buffer&>(&identity), py::arg("owner"),
          about_context);
    m.def("context_of", py::overload_cast<const opencl::queue&>(&identity), py::arg("owner"));
    m.def(
        "empty_like",
        [](const opencl::queue& queue, const device_buffer& like) {
            return allocate(queue, like.layout);
        },
        py::arg("queue"), py::arg("buffer"), R"(empty_like(queue, buffer)
--

Return a ``Buffer`` of the shape and dtype of another, with undefined contents.)");
    m.def("beginning", &beginning, py::arg("buffer"), py::arg("size"), R"(beginning(buffer, size)
--

Return a buffer of the first ``size`` values of ``buffer``, at least one, in the same memory.)");
    m.def("share_memory", &share_memory, py::arg("a"), py::arg("b"), R"(share_memory(a, b)
--

Return whether two buffers are in the same memory.)");
}

}  // namespace pointsman::python
