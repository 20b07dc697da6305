// SPDX-License-Identifier: Apache-2.0
// Adds to Queue what copies between host and device.
#include <pybind11/pybind11.h>

#include <utility>
#include <vector>

#include "gil.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/host_array.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/registers.hpp"
#include "resource/opencl/wait_list.hpp"

namespace fairlead::python {

using opencl::event;
using opencl::queue;

namespace {

/// Enqueues a transfer of all of `buffer` from or to `memory`.
event transfer(const queue& q, const device_buffer& buffer, const host_memory& memory,
               host_memory::access access, const std::vector<cl::Event>& awaited) {
    const gil_released others_may_run;
    return q.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
        if (access == host_memory::access::write) {
            commands.enqueueReadBuffer(buffer.memory, CL_FALSE, 0, buffer.layout.size_bytes,
                                       memory.data(), &awaited, done);
        } else {
            commands.enqueueWriteBuffer(buffer.memory, CL_FALSE, 0, buffer.layout.size_bytes,
                                        memory.data(), &awaited, done);
        }
    });
}

/// The memory of `given`, from which or to which all of `buffer` can be copied.
retired_memory::holder memory_of(const queue& q, const device_buffer& buffer, py::handle given,
                                 host_memory::access access) {
    check_same_device(q, buffer);
    const bool is_output = access == host_memory::access::write;
    const py::object array = is_output ? as_output(given) : as_array(given);
    check_same_layout(buffer, array, given);
    retired_memory::holder memory;
    memory.emplace_back(array, is_output ? output_access(array, given) : access);
    return memory;
}

event start(const queue& q, const device_buffer& buffer, py::handle array, py::handle wait_for,
            host_memory::access access) {
    auto memory = memory_of(q, buffer, array, access);
    event done = transfer(q, buffer, memory.front(), access, wait_list(wait_for));
    retired_memory::instance().keep(std::move(memory), done);
    return done;
}

void finish(const queue& q, const device_buffer& buffer, py::handle array, py::handle wait_for,
            host_memory::access access) {
    const auto memory = memory_of(q, buffer, array, access);
    const event done = transfer(q, buffer, memory.front(), access, wait_list(wait_for));
    const gil_released others_may_run;
    done.wait();
}

event enqueue_read(const queue& q, const device_buffer& buffer, const py::object& out,
                   const py::object& wait_for) {
    return start(q, buffer, out, wait_for, host_memory::access::write);
}

event enqueue_write(const queue& q, const device_buffer& buffer, const py::object& array,
                    const py::object& wait_for) {
    return start(q, buffer, array, wait_for, host_memory::access::read);
}

py::object read(const queue& q, const device_buffer& buffer, py::object out,
                const py::object& wait_for) {
    if (out.is_none()) {
        out = py::module_::import("numpy").attr("empty")(buffer.layout.shape, buffer.layout.dtype);
    }
    finish(q, buffer, out, wait_for, host_memory::access::write);
    return out;
}

void write(const queue& q, const device_buffer& buffer, const py::object& array,
           const py::object& wait_for) {
    finish(q, buffer, array, wait_for, host_memory::access::read);
}

}  // namespace

void add_opencl_transfers(py::class_<queue>& registered) {
    registered
        .def("read", &read, py::arg("buffer"), py::arg("out") = py::none(), py::kw_only(),
             py::arg("wait_for") = py::none(),
             R"(read(self, buffer, out=None, *, wait_for=None)
--

Block until ``buffer`` has been copied to the host and return ``out``.

out: C-contiguous host memory to copy into: an array of the buffer's shape and dtype, an object
    with the buffer protocol or DLPack of the same shape and dtype, or as many plain bytes (a
    bytearray); default a new array. With an array of ``pinned`` the copy runs at the full rate.

wait_for: an ``Event`` or a list of them, as for ``enqueue``.

In an in-order queue the copy comes after everything that was enqueued before. Raises TypeError or
ValueError when ``out`` does not fit, OpenCLError when the copy fails.)")
        .def("write", &write, py::arg("buffer"), py::arg("array"), py::kw_only(),
             py::arg("wait_for") = py::none(),
             R"(write(self, buffer, array, *, wait_for=None)
--

Block until ``array`` has been copied into ``buffer``.

array: an array of the buffer's shape and dtype, an object with the buffer protocol or DLPack of
    the same shape and dtype, or as many plain bytes. With an array of ``pinned`` the copy runs at
    the full rate; an array that is not C-contiguous is copied first.
wait_for: an ``Event`` or a list of them, as for ``enqueue``.

Raises TypeError or ValueError when ``array`` does not fit, OpenCLError when the copy fails.)")
        .def("enqueue_read", &enqueue_read, py::arg("buffer"), py::arg("out"), py::kw_only(),
             py::arg("wait_for") = py::none(),
             R"(enqueue_read(self, buffer, out, *, wait_for=None)
--

Start to copy ``buffer`` into ``out`` and return an ``Event``.

out: as for ``read``; it is kept alive, and is to be left alone until the event is done.
wait_for: an ``Event`` or a list of them, as for ``enqueue``.

Raises TypeError or ValueError when ``out`` does not fit.)")
        .def("enqueue_write", &enqueue_write, py::arg("buffer"), py::arg("array"), py::kw_only(),
             py::arg("wait_for") = py::none(),
             R"(enqueue_write(self, buffer, array, *, wait_for=None)
--

Start to copy ``array`` into ``buffer`` and return an ``Event``.

array: as for ``write``; it is kept alive, and is to be left alone until the event is done.
wait_for: an ``Event`` or a list of them, as for ``enqueue``.

Raises TypeError or ValueError when ``array`` does not fit.)");
}

}  // namespace fairlead::python
