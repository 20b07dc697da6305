// SPDX-License-Identifier: Apache-2.0
// How Python objects that stand for an OpenCL event are watched, whoever made them.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

#include "fairlead/resource/opencl/event.hpp"
#include "guarded.hpp"
#include "resource/opencl/errors.hpp"
#include "submission/native_waitable.hpp"

namespace fairlead::python {

/// Watches Python objects through the event that `EventOf(object)` finds behind them. It is called
/// with the GIL held and may throw fairlead's exceptions or `py::error_already_set`.
template <opencl::event (*EventOf)(PyObject*)>
struct event_waitable {
    static opencl::event& held(void* handle) { return *static_cast<opencl::event*>(handle); }

    static void* acquire(PyObject* object) {
        try {
            return new opencl::event{EventOf(object)};
        } catch (const std::exception&) {
            set_python_error(&translate_opencl_error, std::current_exception());
        }
        return nullptr;
    }
    static void wait(void* handle) {
        try {
            held(handle).wait();
        } catch (const opencl::error&) {  // outcome() and raise_failure() tell of it
        }
    }
    static bool raise_failure(void* handle) noexcept {
        try {
            held(handle).wait();
            return false;
        } catch (const std::exception&) {
            set_python_error(&translate_opencl_error, std::current_exception());
            return true;
        }
    }

    static constexpr native_waitable functions{
        .acquire = &acquire,
        .release = [](void* handle) noexcept { delete &held(handle); },
        .on_completion = [](void* handle,
                            completion_callback told) { held(handle).on_completion(told); },
        .is_ready = [](void* handle) { return held(handle).is_ready(); },
        .wait = &wait,
        .outcome = [](void* handle) noexcept { return held(handle).outcome(); },
        .raise_failure = &raise_failure,
        .called_by_driver = true,
    };

    [[nodiscard]] static pybind11::capsule capsule() {
        return pybind11::capsule{&functions, native_waitable_name};
    }
};

}  // namespace fairlead::python
