// SPDX-License-Identifier: Apache-2.0
// Watches Python objects that wrap an OpenCL event, whether pointsman's or another package's.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <type_traits>

#include "guarded.hpp"
#include "pointsman/resource/opencl/event.hpp"
#include "resource/opencl/errors.hpp"
#include "submission/native_waitable.hpp"

namespace pointsman::python {

/// Watches Python objects through the event that `EventOf(object)` returns: a reference to an event inside
/// the object, or an event by value. `EventOf` is called with the GIL held and may throw pointsman's
/// exceptions or `py::error_already_set`.
template <auto EventOf>
struct event_waitable {
    using found = std::invoke_result_t<decltype(EventOf), PyObject*>;
    static constexpr bool is_in_object = std::is_same_v<found, const opencl::event&>;
    static_assert(is_in_object || std::is_same_v<found, opencl::event>);

    static const opencl::event& held(void* handle) {
        return *static_cast<const opencl::event*>(handle);
    }

    static void* acquire(PyObject* object) {
        try {
            if constexpr (is_in_object) {
                return const_cast<opencl::event*>(&EventOf(object));
            } else {
                return new opencl::event{EventOf(object)};
            }
        } catch (const std::exception&) {
            set_python_error(&translate_opencl_error, std::current_exception());
        }
        return nullptr;
    }
    static void release(void* handle) noexcept {
        if constexpr (!is_in_object) {
            delete &held(handle);
        }
    }
    static void on_completion(void* handle, completion_callback told) {
        told.keeps_work = true;
        held(handle).on_completion(told);
    }
    static void wait(void* handle) {
        try {
            held(handle).wait();
        } catch (const opencl::error&) {  // outcome() and raise_failure() report it
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
        .release = &release,
        .on_completion = &on_completion,
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

}  // namespace pointsman::python
