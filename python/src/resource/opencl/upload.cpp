// SPDX-License-Identifier: Apache-2.0
// Adds Queue.buffer, which copies an array to the device, before it returns or while other work goes on.
#include <pybind11/pybind11.h>

#include <utility>

#include "checked_method.hpp"
#include "gil.hpp"
#include "pointsman/binding/opencl.hpp"
#include "resource/opencl/buffer.hpp"
#include "resource/opencl/host_array.hpp"
#include "resource/opencl/host_memory.hpp"
#include "resource/opencl/pinned.hpp"
#include "resource/opencl/registers.hpp"
#include "resource/opencl/transfer.hpp"

namespace pointsman::python {

namespace py = pybind11;

namespace {

/// Returns true if the copy goes through pinned memory, which takes less time than a driver's own copy of
/// ordinary memory blocks the caller for.
bool is_staged(const opencl::queue& queue, std::size_t size_bytes) {
    return binding::translated(
        [&] { return binding::is_write_staged(binding::host_values_for(queue), size_bytes); });
}

/// A new buffer with the contents of `source`, copied before this returns.
device_buffer copy_to_device(const opencl::queue& queue, const py::object& source,
                             array_layout layout) {
    const host_memory contents{source, host_memory::access::read};
    const std::size_t size_bytes = layout.size_bytes;
    if (!is_staged(queue, size_bytes)) {
        return allocate(queue, std::move(layout), contents.data());
    }
    device_buffer copied = allocate(queue, std::move(layout));
    if (is_pinned(source)) {
        enqueue_write(queue.transfers(), copied, source, py::none()).attr("wait")();
        return copied;
    }
    const gil_released others_may_run;
    binding::write_to_device(queue.transfers(), contents.data(), {copied.memory, 0, size_bytes},
                             binding::host_values_for(queue));
    return copied;
}

device_buffer start_upload(const opencl::queue& queue, const py::object& source,
                           array_layout layout) {
    device_buffer target = allocate(queue, std::move(layout));
    target.uploaded = enqueue_write(queue, target, source, py::none());
    return target;
}

device_buffer buffer(const opencl::queue& queue, const bound_arguments& given) {
    const py::object source = as_array(given.get(0));
    array_layout layout{source.attr("shape"), source.attr("dtype")};
    binding::check_not_forked();
    const bool blocks =
        given.get<bool>(1, true) || (!is_pinned(source) && is_staged(queue, layout.size_bytes));
    return blocks ? copy_to_device(queue, source, std::move(layout))
                  : start_upload(queue, source, std::move(layout));
}

}  // namespace

void add_opencl_upload(py::class_<opencl::queue>& registered) {
    add_checked(
        registered,
        {"buffer", {{"array", nullptr, "an array"}, {"blocking", "True", "True or False", true}}},
        R"(Copy an array of any shape and dtype to the device and return a ``Buffer`` of its shape and dtype.

array: a NumPy array; anything with the buffer protocol (array.array, memoryview) or DLPack in host
    memory; bytes, as uint8; or any other object that NumPy converts, such as a list of numbers.
blocking: whether to return only after the copy. With False the copy is a command of this queue. An
    in-order queue runs later commands after it; pass ``buffer.uploaded`` as ``wait_for`` to commands of
    other queues, and to those of an out-of-order queue. Its memory is kept alive; do not change the array
    until ``buffer.uploaded`` is complete. A function that a policy calls should pass False, which does not
    block the thread that submits.

An array that is not C-contiguous is copied in host memory first. GPUs copy while the caller goes on only
from memory that ``pinned`` returned: with other arrays this function returns when the copy is complete,
or nearly so, and ``uploaded`` may be None even with False. Raises InvalidOptionError (a
ValueError) for an empty array.)",
        &buffer);
}

}  // namespace pointsman::python
