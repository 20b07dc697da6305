// SPDX-License-Identifier: Apache-2.0
// Adds read, write and their enqueue_ forms to Queue; large copies may go through pinned memory.
#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "checked_method.hpp"
#include "gil.hpp"
#include "pointsman/binding/opencl.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/event_object.hpp"
#include "resource/opencl/host_array.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/pinned.hpp"
#include "resource/opencl/registers.hpp"
#include "resource/opencl/transfer.hpp"
#include "resource/opencl/wait_list.hpp"

namespace pointsman::python {

using binding::bytes_on_device;
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

/// The memory of `given`, checked to have the layout of `buffer`.
/// **Throws**: `TypeError`, `ValueError`; `invalid_option` for a buffer of another device.
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

py::object as_object(event&& made) {
    return py::reinterpret_steal<py::object>(make_event(std::move(made)));
}

event start(const queue& q, const device_buffer& buffer, py::handle array, py::handle wait_for,
            host_memory::access access) {
    auto memory = memory_of(q, buffer, array, access);
    event done = transfer(q, buffer, memory.front(), access, wait_list(wait_for));
    retired_memory::instance().keep(std::move(memory), done);
    return done;
}

/// Copies in blocks through pinned memory if that is faster. Returns true if it did.
bool try_staged(const queue& q, const device_buffer& buffer, const host_memory& memory,
                host_memory::access access) {
    const bytes_on_device all{buffer.memory, 0, buffer.layout.size_bytes};
    const gil_released others_may_run;
    binding::check_not_forked();
    return binding::translated([&] {
        const auto of_host = binding::host_values_for(q);
        if (access == host_memory::access::write) {
            if (!binding::is_read_staged(of_host, all.size_bytes)) {
                return false;
            }
            binding::read_from_device(q, all, memory.data(), of_host);
        } else {
            if (!binding::is_write_staged(of_host, all.size_bytes)) {
                return false;
            }
            binding::write_to_device(q, memory.data(), all, of_host);
        }
        return true;
    });
}

void finish(const queue& q, const device_buffer& buffer, py::handle array, py::handle wait_for,
            host_memory::access access) {
    const auto memory = memory_of(q, buffer, array, access);
    const auto awaited = wait_list(wait_for);
    if (awaited.empty() && !is_pinned(array) && try_staged(q, buffer, memory.front(), access)) {
        return;
    }
    const event done = transfer(q, buffer, memory.front(), access, awaited);
    const gil_released others_may_run;
    done.wait();
}

py::object copy(const queue& q, const device_buffer& from, const device_buffer& to,
                py::handle wait_for) {
    check_same_device(q, from);
    check_same_device(q, to);
    const std::size_t size_bytes = from.layout.size_bytes;
    if (to.layout.size_bytes != size_bytes) {
        throw invalid_option{"a buffer of " + std::to_string(size_bytes) +
                             " bytes cannot be copied into one of " +
                             std::to_string(to.layout.size_bytes) + ": pass one of the same size"};
    }
    const auto awaited = wait_list(wait_for);
    return as_object([&] {
        const gil_released others_may_run;
        return q.enqueue([&](const cl::CommandQueue& commands, cl::Event* done) {
            commands.enqueueCopyBuffer(from.memory, to.memory, 0, 0, size_bytes, &awaited, done);
        });
    }());
}

const parameter buffer_parameter{"buffer", nullptr, "a Buffer, such as queue.buffer(array) makes"};
const parameter array_parameter{"array", nullptr, "an array"};
const parameter wait_for_parameter{"wait_for", "None", "an Event or a list of them", true};

const device_buffer& buffer_in(const bound_arguments& given) {
    return given.as<const device_buffer&>(0);
}

py::object empty_array(const device_buffer& buffer) {
    return py::module_::import("numpy").attr("empty")(buffer.layout.shape, buffer.layout.dtype);
}

/// A new array for the contents of `buffer`: in pinned memory if other memory would need a copy on the way
/// and the driver has some left.
py::object new_array(const queue& q, const device_buffer& buffer) {
    const bool is_staged = binding::translated([&] {
        return binding::is_read_staged(binding::host_values_for(q), buffer.layout.size_bytes);
    });
    if (is_staged) {
        try {
            return pinned_array(q, buffer.layout);
        } catch (const opencl::error&) {  // the array is the same, only the copy is slower
        }
    }
    return empty_array(buffer);
}

py::object enqueue_read(const queue& q, const bound_arguments& given) {
    const device_buffer& buffer = buffer_in(given);
    const bool is_new = given.get(1).is_none();
    const py::object out = is_new ? new_array(q, buffer) : given.get(1);
    event done = start(q, buffer, out, given.get(2), host_memory::access::write);
    return py::reinterpret_steal<py::object>(
        make_event(std::move(done), is_new ? out.ptr() : nullptr));
}

py::object read(const queue& q, const bound_arguments& given) {
    const device_buffer& buffer = buffer_in(given);
    py::object out = given.get(1);
    if (out.is_none()) {
        out = empty_array(buffer);
    }
    finish(q, buffer, out, given.get(2), host_memory::access::write);
    return out;
}

}  // namespace

py::object enqueue_write(const queue& q, const device_buffer& buffer, py::handle array,
                         py::handle wait_for) {
    return as_object(start(q, buffer, array, wait_for, host_memory::access::read));
}

void add_opencl_transfers(py::class_<queue>& registered) {
    add_checked(registered,
                {"read",
                 {buffer_parameter,
                  {"out", "None", "host memory to copy into, or None for a new array"},
                  wait_for_parameter}},
                R"(Block until ``buffer`` has been copied to the host and return ``out``.

out: C-contiguous host memory to copy into: an array of the buffer's shape and dtype, an object
    with the buffer protocol or DLPack of the same shape and dtype, or as many plain bytes (a
    bytearray); default a new array. Copies from a GPU of 1 MiB or more, to memory that ``pinned``
    did not return and without ``wait_for``, go through pinned memory in blocks.

wait_for: an ``Event`` or a list of them, as for ``enqueue``.

In an in-order queue the copy runs after all commands enqueued before. Raises TypeError or
ValueError when ``out`` does not fit, OpenCLError when the copy fails.)",
                &read);
    add_checked(registered, {"write", {buffer_parameter, array_parameter, wait_for_parameter}},
                R"(Block until ``array`` has been copied into ``buffer``.

array: an array of the buffer's shape and dtype, an object with the buffer protocol or DLPack of
    the same shape and dtype, or as many plain bytes; an array that is not C-contiguous is copied
    first. Copies to a GPU of 16 MiB or more, from memory that ``pinned`` did not return and without
    ``wait_for``, go through pinned memory in blocks.
wait_for: an ``Event`` or a list of them, as for ``enqueue``.

Raises TypeError or ValueError when ``array`` does not fit, OpenCLError when the copy fails.)",
                [](const queue& q, const bound_arguments& given) {
                    finish(q, buffer_in(given), given.get(1), given.get(2),
                           host_memory::access::read);
                });
    add_checked(registered,
                {"enqueue_read",
                 {buffer_parameter,
                  {"out", "None", "host memory to copy into, or None for a new array"},
                  wait_for_parameter}},
                R"(Start to copy ``buffer`` to the host and return an ``Event``.

out: as for ``read``; it is kept alive; do not use it until the event is complete. Without it the event
    has a new array as its ``result()``; from a GPU, arrays of 1 MiB or more are in pinned memory if the
    driver has some left.
wait_for: an ``Event`` or a list of them, as for ``enqueue``.

A function that a policy calls should return this event and not ``read(buffer)``, which blocks the thread
that submits; the submission's ``result()`` is then the array. Raises TypeError or ValueError when ``out``
does not fit.)",
                &enqueue_read);
    add_checked(registered,
                {"enqueue_write", {buffer_parameter, array_parameter, wait_for_parameter}},
                R"(Start to copy ``array`` into ``buffer`` and return an ``Event``.

array: as for ``write``; it is kept alive; do not change it until the event is complete.
wait_for: an ``Event`` or a list of them, as for ``enqueue``.

Raises TypeError or ValueError when ``array`` does not fit.)",
                [](const queue& q, const bound_arguments& given) {
                    return enqueue_write(q, buffer_in(given), given.get(1), given.get(2));
                });
    add_checked(
        registered,
        {"enqueue_copy",
         {buffer_parameter, {"out", nullptr, "a Buffer of the same size"}, wait_for_parameter}},
        R"(Start to copy ``buffer`` into ``out``, another Buffer of the same size; return an ``Event``.

wait_for: an ``Event`` or a list of them, as for ``enqueue``.

Raises InvalidOptionError (a ValueError) for buffers of different sizes or of another device.)",
        [](const queue& q, const bound_arguments& given) {
            return copy(q, buffer_in(given), given.as<const device_buffer&>(1), given.get(2));
        });
}

}  // namespace pointsman::python
