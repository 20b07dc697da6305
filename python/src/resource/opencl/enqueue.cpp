// SPDX-License-Identifier: Apache-2.0
// Adds Queue.enqueue, written for CPython directly because kernel calls are short.
#include <pybind11/pybind11.h>

#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gil.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "resource/opencl/arguments.hpp"
#include "resource/opencl/errors.hpp"
#include "resource/opencl/event_object.hpp"
#include "resource/opencl/registers.hpp"
#include "resource/opencl/wait_list.hpp"

namespace pointsman::python {

namespace py = pybind11;
using opencl::queue;

namespace {

std::size_t extent_of(PyObject* number, const char* what) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(number));
    if (!index) {
        throw py::error_already_set{};
    }
    const long long extent = PyLong_AsLongLong(index.ptr());
    if (extent == -1 && PyErr_Occurred() != nullptr) {
        throw py::error_already_set{};
    }
    if (extent < 1) {
        throw invalid_option{std::string{what} + " has an extent of " + std::to_string(extent) +
                             ": pass extents from 1"};
    }
    return static_cast<std::size_t>(extent);
}

/// The range for an int or a sequence of one to three ints.
cl::NDRange range_of(PyObject* size, const char* what) {
    if (PyIndex_Check(size) != 0) {
        return cl::NDRange{extent_of(size, what)};
    }
    std::array<std::size_t, 3> extents{};
    std::size_t dimensions = 0;
    for (const py::handle extent : py::handle{size}) {
        if (dimensions < extents.size()) {
            extents[dimensions] = extent_of(extent.ptr(), what);
        }
        ++dimensions;
    }
    switch (dimensions) {
        case 1:
            return cl::NDRange{extents[0]};
        case 2:
            return {extents[0], extents[1]};
        case 3:
            return {extents[0], extents[1], extents[2]};
        default:
            throw invalid_option{std::string{what} + " has " + std::to_string(dimensions) +
                                 " dimensions: pass one to three"};
    }
}

opencl::work_size size_of(PyObject* global_size, PyObject* local_size) {
    opencl::work_size size{range_of(global_size, "global_size")};
    if (local_size != nullptr && local_size != Py_None) {
        size.local = range_of(local_size, "local_size");
        if (size.local.dimensions() != size.global.dimensions()) {
            throw invalid_option{"global_size has " + std::to_string(size.global.dimensions()) +
                                 " dimensions and local_size " +
                                 std::to_string(size.local.dimensions()) + ": pass as many"};
        }
    }
    return size;
}

/// The values passed by keyword; null for a keyword that was not passed.
struct keyword_values {
    PyObject* local_size = nullptr;
    PyObject* wait_for = nullptr;

    keyword_values(PyObject* const* values, PyObject* keywords) {
        for (Py_ssize_t i = 0; keywords != nullptr && i < PyTuple_GET_SIZE(keywords); ++i) {
            PyObject* const name = PyTuple_GET_ITEM(keywords, i);
            if (PyUnicode_CompareWithASCIIString(name, "local_size") == 0) {
                local_size = values[i];
            } else if (PyUnicode_CompareWithASCIIString(name, "wait_for") == 0) {
                wait_for = values[i];
            } else {
                throw py::type_error{"enqueue() has no keyword '" +
                                     py::str(name).cast<std::string>() +
                                     "': pass the kernel, the global_size and the arguments by "
                                     "position, local_size and wait_for by keyword"};
            }
        }
    }
};

/// A raw CPython function: pybind11's argument parsing would take a noticeable part of a kernel call.
PyObject* enqueue(PyObject* self, PyObject* const* values, Py_ssize_t given, PyObject* keywords) {
    return guarded<&translate_opencl_error>([&] {
        const auto* const kernel = given < 2 ? nullptr : find_in<const bound_kernel>(values[0]);
        if (kernel == nullptr) {
            throw py::type_error{
                "enqueue() takes a Kernel, which program.kernel(name) makes, a "
                "global_size and the kernel's arguments"};
        }
        const auto& target = value_in<const queue>(self);
        const keyword_values named{values + given, keywords};
        const auto size = size_of(values[1], named.local_size);
        const auto awaited =
            named.wait_for != nullptr ? wait_list(named.wait_for) : std::vector<cl::Event>{};
        const std::span arguments{values + 2, static_cast<std::size_t>(given - 2)};
        const argument_list list{target, *kernel, arguments};
        auto done = [&] {
            const gil_released others_may_run;
            return target.enqueue_with(list.span(), kernel->kernel, size, awaited);
        }();
        return make_event(std::move(done));
    });
}

constexpr const char* enqueue_doc =
    R"(enqueue($self, kernel, global_size, /, *args, local_size=None, wait_for=None)
--

Start a kernel and return an ``Event``.

global_size: number of work items, an int or a sequence of up to three ints.
args: one value for each parameter of the kernel: a ``Buffer`` for a pointer (None for a null
    pointer); for a scalar a Python int or float, or a NumPy scalar of exactly its type (int8 for
    char, uint8 for uchar, ... int64 for long, float16 for half, float32 for float, float64 for
    double); for a struct or a vector type a NumPy scalar of a structured dtype with the same
    layout, such as ``numpy.array((1, 2), "f4, f4")[()]`` for a float2 (for structs make the dtype
    with ``align=True``); for a ``local`` pointer ``LocalMemory(size_bytes)``.
local_size: number of work items in a work group, with as many extents as ``global_size``; default
    the driver's choice.
wait_for: an ``Event`` or a list of them, from this queue or another queue on the same device: the
    kernel starts once they are complete. Commands of an in-order queue wait for earlier commands
    anyway.

A buffer's elements must match the parameter's element type in kind (integer or floating-point) and in
size: float32 for ``float*``, int32 or uint32 for ``int*`` and ``uint*``, int8, uint8 or
bool for ``char*`` and ``uchar*``. A vector such as ``float4`` takes float32 in a multiple of four, a
structured dtype of its size or, for ``float2``, complex64; a ``float3`` occupies four floats. Pass
``buffer.view(dtype)`` to reinterpret the bytes. Not checked are pointers to structs, typedefs and ``void``,
structured dtypes beyond their size, and kernels whose driver does not tell their parameters.

Raises TypeError for a wrong number of arguments or an argument that does not fit, OverflowError for
a number out of the parameter's range, InvalidOptionError (a ValueError) for a kernel or a buffer of
another device, for a buffer that is no whole number of vectors and for values in another byte order,
OpenCLError, which names the kernel and its sizes, when the
driver rejects the call.)";

PyMethodDef enqueue_method{"enqueue",
                           reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&enqueue)),
                           METH_FASTCALL | METH_KEYWORDS, enqueue_doc};

}  // namespace

void add_opencl_enqueue(const py::object& queue_class) {
    queue_class.attr("enqueue") = py::reinterpret_steal<py::object>(
        PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(queue_class.ptr()), &enqueue_method));
}

}  // namespace pointsman::python
