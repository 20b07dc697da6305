// SPDX-License-Identifier: Apache-2.0
// Registers Queue.
#include "fairlead/resource/opencl/queue.hpp"

#include <pybind11/stl.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fairlead/resource/opencl/default_queues.hpp"
#include "gil.hpp"
#include "resource/opencl/arguments.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/driver_warnings.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/registers.hpp"

namespace fairlead::python {

using opencl::event;
using opencl::queue;

namespace {

queue make_queue(const std::optional<opencl::device>& device, bool profiling, bool out_of_order) {
    const gil_released others_may_run;
    const opencl::queue_options options{profiling, out_of_order};
    return device ? queue{*device, options} : queue{queue{}.device(), options};
}

/// An int or a sequence of one to three ints.
cl::NDRange range_of(py::handle size, const char* what) {
    std::vector<std::size_t> extents;
    const auto add = [&](py::handle extent) {
        const auto number = extent.cast<long long>();
        if (number < 1) {
            throw invalid_option{std::string{what} + " has an extent of " + std::to_string(number) +
                                 ": pass extents from 1"};
        }
        extents.push_back(static_cast<std::size_t>(number));
    };
    if (PyIndex_Check(size.ptr()) != 0) {
        add(size);
    } else {
        for (const py::handle extent : size) {
            add(extent);
        }
    }
    switch (extents.size()) {
        case 1:
            return cl::NDRange{extents[0]};
        case 2:
            return {extents[0], extents[1]};
        case 3:
            return {extents[0], extents[1], extents[2]};
        default:
            throw invalid_option{std::string{what} + " has " + std::to_string(extents.size()) +
                                 " dimensions: pass one to three"};
    }
}

event enqueue(const queue& q, const opencl::kernel& kernel, const py::object& global_size,
              const py::args& arguments, const py::object& local_size) {
    opencl::work_size size{range_of(global_size, "global_size")};
    if (!local_size.is_none()) {
        size.local = range_of(local_size, "local_size");
        if (size.local.dimensions() != size.global.dimensions()) {
            throw invalid_option{"global_size has " + std::to_string(size.global.dimensions()) +
                                 " dimensions and local_size " +
                                 std::to_string(size.local.dimensions()) + ": pass as many"};
        }
    }
    const argument_list list{q, kernel, arguments};
    const gil_released others_may_run;
    return q.enqueue_with(list.span(), kernel, size);
}

/// Enqueues a transfer of all of `buffer` from or to `memory`.
event transfer(const queue& q, const device_buffer& buffer, const host_memory& memory,
               host_memory::access access) {
    const gil_released others_may_run;
    return q.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
        if (access == host_memory::access::write) {
            commands.enqueueReadBuffer(buffer.memory, CL_FALSE, 0, buffer.size_bytes, memory.data(),
                                       nullptr, done);
        } else {
            commands.enqueueWriteBuffer(buffer.memory, CL_FALSE, 0, buffer.size_bytes,
                                        memory.data(), nullptr, done);
        }
    });
}

event start_transfer(const queue& q, const device_buffer& buffer, py::handle array,
                     host_memory::access access) {
    check_same_device(q, buffer);
    check_same_layout(buffer, array);
    retired_memory::holder memory;
    memory.emplace_back(array, access);
    event done = transfer(q, buffer, memory.front(), access);
    retired_memory::instance().keep(std::move(memory), done);
    return done;
}

event enqueue_read(const queue& q, const device_buffer& buffer, const py::object& out) {
    return start_transfer(q, buffer, out, host_memory::access::write);
}

event enqueue_write(const queue& q, const device_buffer& buffer, const py::object& array) {
    return start_transfer(q, buffer, as_contiguous(array), host_memory::access::read);
}

py::object read(const queue& q, const device_buffer& buffer, py::object out) {
    if (out.is_none()) {
        out = py::module_::import("numpy").attr("empty")(buffer.shape, buffer.dtype);
    }
    check_same_device(q, buffer);
    check_same_layout(buffer, out);
    const host_memory memory{out, host_memory::access::write};
    const event done = transfer(q, buffer, memory, host_memory::access::write);
    {
        const gil_released others_may_run;
        done.wait();
    }
    return out;
}

constexpr const char* enqueue_doc = R"(Start a kernel and return an ``Event``.

global_size: number of work items, an int or up to three of them.
args: one value for each parameter of the kernel: a ``Buffer`` for a pointer (None for a null
    pointer); for a scalar a Python int or float, or a NumPy scalar of exactly its type; for a
    struct or a vector type a NumPy scalar of a structured dtype.
local_size: work items in a group, with as many extents as ``global_size``; default the driver's
    choice.

Raises TypeError for a wrong number of arguments or one that does not fit, OverflowError for a
number out of the parameter's range, OpenCLError when the driver refuses the call.)";

std::string representation(const queue& q) {
    return "<Queue on '" + q.device().name() + "'" + (q.has_profiling() ? "" : ", no profiling") +
           (q.is_out_of_order() ? ", out of order" : "") + ">";
}

std::vector<queue> default_queues() {
    auto queues = [] {
        const gil_released others_may_run;
        return default_universe<queue>::get();
    }();
    warn_of_drivers();
    return queues;
}

}  // namespace

void register_opencl_queue(py::module_& m) {
    py::class_<queue>(m, "Queue", R"(A command queue on an OpenCL device, as a resource.

device: a ``Device``; default the first of ``devices()``.
profiling: whether commands carry timestamps, so that their times are exact.
out_of_order: whether commands may overtake one another.

Two queues are equal when they are the same queue. Raises OpenCLError when there is no device, or
when it cannot do what is asked.)")
        .def(py::init(&make_queue), py::arg("device") = py::none(), py::kw_only(),
             py::arg("profiling") = true, py::arg("out_of_order") = false)
        .def_property_readonly("device", &queue::device, "The queue's Device.")
        .def_property_readonly("profiling", &queue::has_profiling,
                               "Whether commands carry timestamps.")
        .def_property_readonly("out_of_order", &queue::is_out_of_order,
                               "Whether commands may overtake one another.")
        .def("build", &queue::build, py::arg("source"), py::arg("options") = "",
             py::call_guard<gil_released>(),
             R"(Compile OpenCL C ``source`` for the device and return a ``Program``.

A program of the same source and options that was used lately is not built again. Raises
BuildError with the compiler's log (also in its attribute ``log``).)")
        .def("buffer", &copy_to_device, py::arg("array"),
             R"(Copy an array of any shape and dtype, or what NumPy makes one of, to the device.

Returns a ``Buffer`` with the array's shape and dtype. Raises InvalidOptionError (a ValueError) for
an empty array.)")
        .def(
            "empty", &allocate, py::arg("shape"), py::arg("dtype"),
            R"(Return a ``Buffer`` for an array of ``shape`` and ``dtype`` with undefined contents.)")
        .def("enqueue", &enqueue, py::arg("kernel"), py::arg("global_size"),
             py::arg("local_size") = py::none(), enqueue_doc)
        .def("read", &read, py::arg("buffer"), py::arg("out") = py::none(),
             R"(Block until ``buffer`` has been copied to the host and return the array.

out: a C-contiguous array of the buffer's shape and dtype to copy into; default a new one. In an
in-order queue the copy comes after everything that was enqueued before. Raises TypeError or
ValueError when ``out`` does not fit, OpenCLError when the copy fails.)")
        .def("enqueue_read", &enqueue_read, py::arg("buffer"), py::arg("out"),
             R"(Start to copy ``buffer`` into ``out`` and return an ``Event``.

out: a C-contiguous array of the buffer's shape and dtype; it is kept alive, and is to be left
alone until the event is done. Raises TypeError or ValueError when it does not fit.)")
        .def("enqueue_write", &enqueue_write, py::arg("buffer"), py::arg("array"),
             R"(Start to copy ``array`` into ``buffer`` and return an ``Event``.

array: an array of the buffer's shape and dtype; it is kept alive, and is to be left alone until
the event is done. Raises TypeError or ValueError when it does not fit.)")
        .def("finish", &queue::wait, py::call_guard<gil_released>(),
             "Block until every command on the queue is over.")
        .def(
            "__eq__",
            [](const queue& a, const py::object& b) {
                return py::isinstance<queue>(b) && a == b.cast<const queue&>();
            },
            py::arg("other"))
        .def("__hash__", [](const queue& q) { return std::hash<const void*>{}(q.handle()()); })
        .def("__repr__", &representation);

    m.def("default_queues", &default_queues,
          "Return one new ``Queue`` for each of ``devices()``. Warns of what is wrong like it.");
}

}  // namespace fairlead::python
