// SPDX-License-Identifier: Apache-2.0
// Counts the references to events that the program holds by wrapping OpenCL calls.
//
// Include it in one file of a program that is linked with the options
// -Wl,--wrap=clRetainEvent,--wrap=clReleaseEvent,--wrap=clCreateUserEvent
// -Wl,--wrap=clEnqueueNDRangeKernel,--wrap=clEnqueueMarkerWithWaitList
// -Wl,--wrap=clEnqueueReadBuffer,--wrap=clEnqueueWriteBuffer
// Calls inside the driver are not counted.
#pragma once

#include <atomic>

#include "pointsman/resource/opencl/api.hpp"

namespace pointsman::test {

/// The number of event references that were created or retained and not yet released.
inline std::atomic<long> live_event_references{0};
/// The number of created events.
inline std::atomic<long> created_events{0};

/// The counts since the construction of this object.
struct live_events {
    const long references_before = live_event_references;
    const long created_before = created_events;

    [[nodiscard]] long created() const { return created_events - created_before; }
    [[nodiscard]] long alive() const { return live_event_references - references_before; }
};

inline cl_int count_created(cl_int result, const cl_event* created) {
    if (result == CL_SUCCESS && created != nullptr) {
        ++live_event_references;
        ++created_events;
    }
    return result;
}

}  // namespace pointsman::test

// The linker requires these names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
decltype(clRetainEvent) __real_clRetainEvent;
decltype(clReleaseEvent) __real_clReleaseEvent;
decltype(clCreateUserEvent) __real_clCreateUserEvent;
decltype(clEnqueueNDRangeKernel) __real_clEnqueueNDRangeKernel;
decltype(clEnqueueMarkerWithWaitList) __real_clEnqueueMarkerWithWaitList;
decltype(clEnqueueReadBuffer) __real_clEnqueueReadBuffer;
decltype(clEnqueueWriteBuffer) __real_clEnqueueWriteBuffer;

cl_int __wrap_clRetainEvent(cl_event event) {
    ++pointsman::test::live_event_references;
    return __real_clRetainEvent(event);
}

cl_int __wrap_clReleaseEvent(cl_event event) {
    --pointsman::test::live_event_references;
    return __real_clReleaseEvent(event);
}

cl_event __wrap_clCreateUserEvent(cl_context context, cl_int* result) {
    const cl_event event = __real_clCreateUserEvent(context, result);
    pointsman::test::count_created(event != nullptr ? CL_SUCCESS : CL_INVALID_EVENT, &event);
    return event;
}

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t* offset, const size_t* global,
                                     const size_t* local, cl_uint wait_count, const cl_event* wait,
                                     cl_event* event) {
    return pointsman::test::count_created(
        __real_clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, wait_count,
                                      wait, event),
        event);
}

cl_int __wrap_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                          const cl_event* wait, cl_event* event) {
    return pointsman::test::count_created(
        __real_clEnqueueMarkerWithWaitList(queue, wait_count, wait, event), event);
}

cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                  size_t offset, size_t size, void* to, cl_uint wait_count,
                                  const cl_event* wait, cl_event* event) {
    return pointsman::test::count_created(
        __real_clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to, wait_count, wait,
                                   event),
        event);
}

cl_int __wrap_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                   size_t offset, size_t size, const void* from, cl_uint wait_count,
                                   const cl_event* wait, cl_event* event) {
    return pointsman::test::count_created(
        __real_clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, wait_count, wait,
                                    event),
        event);
}
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
