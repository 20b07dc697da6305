// SPDX-License-Identifier: Apache-2.0
// The C interface through which one extension module watches the waitables of another.
#pragma once

#include <Python.h>

#include <cstddef>

#include "pointsman/submission/completion.hpp"

namespace pointsman::python {

/// What a native waitable type offers to the engine without going through Python. A type
/// publishes it as the class attribute `__pointsman_waitable__`, a capsule named
/// `native_waitable_name`; for a type of another package, see `adopted_waitables.hpp`. All functions
/// may be called without the GIL unless said otherwise.
struct native_waitable {
    /// A handle to the work behind `object`, which is kept until the handle is released; null with a
    /// Python exception set when there is none. GIL held.
    void* (*acquire)(PyObject* object);
    void (*release)(void* handle) noexcept;
    /// Promises one call of `callback`, at once when the work is already complete. The handle is not
    /// released before.
    void (*on_completion)(void* handle, completion_callback callback);
    bool (*is_ready)(void* handle);
    /// Blocks until the work is complete; does not throw the work's error.
    void (*wait)(void* handle);
    /// How finished work ended.
    completion (*outcome)(void* handle) noexcept;
    /// Sets the Python exception with which finished work failed, if it did, and tells whether.
    /// Null for a type with a `result()`, from which the error comes out. GIL held.
    bool (*raise_failure)(void* handle) noexcept = nullptr;
    /// True if a driver's thread may call back: it must not wait for the GIL then.
    bool called_by_driver = false;
    /// A new reference to the value of finished work; null with the Python exception set with which it
    /// failed. Null where the object's `result()` tells, or the object is its own result. GIL held.
    PyObject* (*result)(void* handle) noexcept = nullptr;
    /// A new reference to the Python object that stands for the work, for handles that were made
    /// without one; null with an exception set when there is no memory. GIL held.
    PyObject* (*object_of)(void* handle) noexcept = nullptr;
    /// Drops work that has not begun, and says whether it did; asks running work to stop. Null where the
    /// object's `cancel()` does, if it has one. GIL held.
    bool (*cancel)(void* handle) noexcept = nullptr;
    /// Shows the garbage collector what finished work holds, where so many references to it are left.
    /// Null where work holds no objects. GIL held.
    int (*traverse)(void* handle, std::size_t references, visitproc visit, void* arg) = nullptr;
    /// Runs the work on the calling thread where that does not take longer than waiting. GIL held.
    void (*help)(void* handle) = nullptr;
};

inline constexpr const char* native_waitable_name = "pointsman.native_waitable";
inline constexpr const char* native_waitable_attribute = "__pointsman_waitable__";

}  // namespace pointsman::python
