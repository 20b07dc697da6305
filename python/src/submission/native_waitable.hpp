// SPDX-License-Identifier: Apache-2.0
// The C interface through which one extension module watches the waitables of another.
#pragma once

#include <Python.h>

#include <cstddef>

#include "pointsman/submission/completion.hpp"

namespace pointsman::python {

/// The functions of a native waitable type, which the engine calls without going through Python. A
/// type publishes them as the class attribute `__pointsman_waitable__`, a capsule named
/// `native_waitable_name`; for a type of another package, see `adopted_waitables.hpp`. Functions may be
/// called without the GIL unless stated otherwise.
struct native_waitable {
    /// Returns a handle that keeps the work behind `object` alive until it is released; null with a
    /// Python exception set if there is no work. GIL held.
    void* (*acquire)(PyObject* object);
    void (*release)(void* handle) noexcept;
    /// Calls `callback` once, immediately if the work is already complete. The caller does not release
    /// the handle before that call.
    void (*on_completion)(void* handle, completion_callback callback);
    bool (*is_ready)(void* handle);
    /// Blocks until the work is complete; does not throw the work's error.
    void (*wait)(void* handle);
    /// Returns how finished work ended.
    completion (*outcome)(void* handle) noexcept;
    /// If finished work failed, sets its Python exception and returns true. Null for a type with a
    /// `result()`, which raises the error. GIL held.
    bool (*raise_failure)(void* handle) noexcept = nullptr;
    /// True if the callback may run on a driver's thread, which must not wait for the GIL.
    bool called_by_driver = false;
    /// Returns a new reference to the value of finished work; null with the work's Python exception set.
    /// Null for a type whose objects have a `result()` or are their own results. GIL held.
    PyObject* (*result)(void* handle) noexcept = nullptr;
    /// Returns a new reference to the Python object of the work, for handles that were made without
    /// one; null with an exception set if there is no memory. GIL held.
    PyObject* (*object_of)(void* handle) noexcept = nullptr;
    /// Drops work that has not begun and returns true; asks running work to stop and returns false.
    /// If null, the object's `cancel()` is called, if it has one. GIL held.
    bool (*cancel)(void* handle) noexcept = nullptr;
    /// Shows the garbage collector the objects that finished work owns, if exactly `references` references
    /// to the work are left. Null if work owns no objects. GIL held.
    int (*traverse)(void* handle, std::size_t references, visitproc visit, void* arg) = nullptr;
    /// Runs the work on the calling thread if that takes no longer than waiting. GIL held.
    void (*help)(void* handle) = nullptr;
};

inline constexpr const char* native_waitable_name = "pointsman.native_waitable";
inline constexpr const char* native_waitable_attribute = "__pointsman_waitable__";

}  // namespace pointsman::python
